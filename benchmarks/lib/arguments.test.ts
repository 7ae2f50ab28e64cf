// cspell:ignore lood
import { asksForHelp, parseArguments } from './arguments.mjs';
import type { Measurement } from './types';

const measurements = [
  { name: 'load/start', conditions: { runs: 5 } },
  { name: 'load/latency', conditions: { source: 'a' } },
  { name: 'gpu/near-path', conditions: {}, onDemand: true },
] as unknown as Measurement[];

function parse(...args: string[]) {
  const parsed = parseArguments(args, measurements);
  if ('fault' in parsed) throw new Error(parsed.fault);
  return parsed;
}
const names = (...args: string[]) => parse(...args).chosen.map(({ name }) => name);

test('a name selects a measurement or a group; no name selects all but those on demand', () => {
  expect(names()).toEqual(['load/start', 'load/latency']);
  expect(names('load/latency')).toEqual(['load/latency']);
  expect(names('load')).toEqual(['load/start', 'load/latency']);
  expect(names('gpu')).toEqual(['gpu/near-path']);
});

test('a condition is for measurements that all have it', () => {
  expect(parse('load/start', '--runs=2').overrides).toEqual({ runs: '2' });
  expect(() => parse('load', '--runs=2')).toThrow('load/latency has no condition "runs"; see --help.');
});

test('--help is read among other arguments, also as -h', () => {
  expect([['load', '--help'], ['-h'], ['load'], []].map(asksForHelp)).toEqual([true, true, false, false]);
});

test('--quick is read', () => {
  expect([parse('load/start', '--quick').quick, parse('load/start').quick]).toEqual([true, false]);
});

test.each([
  [['lood'], 'There is no measurement "lood"; see --help.'],
  [['load/start', '--runs=few'], '--runs takes a number, not "few".'],
  [['--runs'], '--runs has no value: conditions are given as --name=value.'],
])('%j is rejected with a sentence', (args, sentence) => {
  expect(() => parse(...args)).toThrow(sentence);
});
