import { clientMsOf, oneMachine, ownCores } from './model.mjs';
import { operations } from './requests.mjs';

const measured = {
  gateway: { loopMs: 1, besideMs: 0.5 },
  redisMs: 0.5,
  tier: { mainMs: 2, workerMs: 40, decodeMs: 8 },
  modelMs: { near: 10, mesh: 8, embedding: 12, moderation: 15, objects: 15 },
  totalMs: { median: 52 },
  together: { tierMs: 62.5, totalMs: { median: 65 } },
  factors: [1],
};
const timesOf = (roles: readonly string[]) => {
  // Only the models of one operation, as the tier counts them.
  const modelMs = Object.fromEntries(
    Object.entries(measured.modelMs).filter(([role]) => roles.includes(role)),
  );
  const operation = { ...measured, modelMs };
  return { workers: 2, operations: { detect: operation, compare: operation, moderate: operation } };
};
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

test.each([
  ['detect', ['near', 'mesh']],
  ['compare', ['near', 'mesh', 'embedding']],
  ['moderate', ['moderation', 'objects']],
] as const)('the parts of %s take exactly the time of the tier', (operation, roles) => {
  const machine = { cores: 2, workers: 2, clientMs: 1 };
  const { times, work } = oneMachine(timesOf(roles), operation, machine);
  expect(times.parts).toEqual(operations[operation].parts);
  const each = times.parts.map((part) => work[part]);
  expect(sum(each.map(({ decodeMs }) => decodeMs))).toBeCloseTo(8, 9);
  expect(sum(each.flatMap(({ steps }) => steps.map(({ perItemMs }) => perItemMs)))).toBeCloseTo(40, 9);
});

test('cores slow each other as measured: of all processes on one machine, of the tier alone on its own cores', () => {
  const times = timesOf(['near', 'mesh']);
  const one = oneMachine(times, 'detect', { cores: 2, workers: 1, clientMs: 1 });
  expect(one.layout).toMatchObject({ sharedSpeed: 52 / 65, together: true, workers: 1 });
  const own = ownCores(times, 'detect');
  expect(own.layout).toMatchObject({ sharedSpeed: 50 / 62.5, together: false, workers: 2 });
});

test('the load generator costs as much as at the highest rate, where its idle time hardly counts', () => {
  const steps = [
    { offeredPerSecond: 50, servedPerSecond: 50, cpuCores: { k6: 0.1 } },
    { offeredPerSecond: 5, servedPerSecond: 5, cpuCores: { k6: 0.055 } },
  ];
  expect(clientMsOf(steps)).toBeCloseTo(2, 9);
});
