import { Stopwatch } from './stages';

let ms = 0;
const after = (step: number) => {
  ms += step;
};
beforeEach(() => {
  ms = 0;
});

test('stages are reported in the order they ended, and the whole of the time last', () => {
  const stages = new Stopwatch(undefined, () => ms);
  const auth = stages.begin('auth');
  after(0.25);
  auth.end();
  const infer = stages.begin('infer');
  after(18);
  stages.add('model', 15.0004);
  infer.end();
  after(1);
  expect(stages.serverTiming()).toBe('auth;dur=0.25, model;dur=15, infer;dur=18, total;dur=19.25');
});

test('stages of one name add up', () => {
  const stages = new Stopwatch(undefined, () => ms);
  const [first, second] = [stages.begin('infer'), stages.begin('infer')];
  after(3);
  first.end();
  after(1);
  second.end();
  expect(stages.entries()).toEqual({ infer: 7 });
});

test('a stage is a span of the trace, and names itself to the next tier', () => {
  const reported: string[] = [];
  const trace = {
    traceId: 'a'.repeat(32),
    begin: (name: string) => ({ traceparent: `00-${name}`, end: () => reported.push(name) }),
    end: () => {},
  };
  const stages = new Stopwatch(trace, () => ms);
  const { traceparent, end } = stages.begin('infer');
  expect(traceparent).toBe('00-infer');
  expect(reported).toEqual([]);
  end();
  expect(reported).toEqual(['infer']);
  expect(new Stopwatch().begin('infer').traceparent).toBeUndefined();
});
