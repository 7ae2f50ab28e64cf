import { evaluate } from './testing';

const parse = (...args: string[]) =>
  evaluate<{ fault?: string; quick?: boolean; chosen?: { name: string }[]; overrides?: object }>(
    `import { parseArguments } from './lib/arguments.mjs';
     const measurements = [
       { name: 'speed/start', parameters: { runs: 5 }, quick: { runs: 1 } },
       { name: 'speed/latency', parameters: { picture: 'a' } },
       { name: 'gpu/sweep', parameters: {}, onDemand: true },
     ];`,
    `parseArguments(${JSON.stringify(args)}, measurements)`,
  );
const names = (...args: string[]) => parse(...args).chosen?.map(({ name }) => name);

test('names choose by path, group or last part; nothing chooses all but those on demand', () => {
  expect(names()).toEqual(['speed/start', 'speed/latency']);
  expect(names('latency')).toEqual(['speed/latency']);
  expect(names('speed')).toEqual(['speed/start', 'speed/latency']);
  expect(names('gpu/sweep')).toEqual(['gpu/sweep']);
});

test('parameters are for measurements that all have them', () => {
  expect(parse('start', '--runs=2').overrides).toEqual({ runs: '2' });
  expect(parse('speed', '--runs=2').fault).toBe('speed/latency has no parameter "runs"; see --help.');
});

test('the short form is for those that have one', () => {
  expect(parse('start', '--quick')).toMatchObject({ quick: true, chosen: [{ name: 'speed/start' }] });
  expect(parse('start')).toMatchObject({ quick: false });
});

test.each([
  [['sped'], 'There is no measurement "sped"; see --help.'],
  [['latency', '--runs=2'], 'speed/latency has no parameter "runs"; see --help.'],
  [['start', '--runs=few'], '--runs takes a number, not "few".'],
  [['--quick', 'latency'], 'speed/latency has no short form.'],
  [['--runs'], '--runs has no value: parameters are given as --name=value.'],
])('%j is refused with a sentence', (args, sentence) => {
  expect(parse(...args).fault).toBe(sentence);
});
