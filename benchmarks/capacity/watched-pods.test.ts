import { COMPONENT } from './many-pods.mjs';
import { WatchedPods } from './watched-pods.mjs';

const pod = (name: string, node: string, { ready = true, component = 'inference' } = {}) => ({
  metadata: { name, labels: { [COMPONENT]: component } },
  spec: { nodeName: node },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

const places = new Map([
  ['a', 'east'],
  ['b', 'east'],
  ['c', 'west'],
]);

test('the difference between places counts ready pods, and places without any', () => {
  const pods = new WatchedPods();
  pods.begin([pod('1', 'a'), pod('2', 'a'), pod('3', 'b', { ready: false })]);
  expect(pods.skew('inference', places)).toBe(2);
  pods.take({ type: 'ADDED', object: pod('4', 'c') });
  expect(pods.skew('inference', places)).toBe(1);
  expect(pods.skew('gateway', places)).toBe(0);
});

test('the fewest ready pods count those that end and those that are gone', () => {
  const pods = new WatchedPods();
  pods.begin([pod('1', 'a'), pod('2', 'b'), pod('3', 'c')]);
  pods.reset();
  const ending = pod('1', 'a');
  pods.take({
    type: 'MODIFIED',
    object: { ...ending, metadata: { ...ending.metadata, deletionTimestamp: 'now' } },
  });
  pods.take({ type: 'DELETED', object: ending });
  pods.take({ type: 'ADDED', object: pod('4', 'c') });
  expect(pods.fewest('inference')).toBe(2);
  expect(pods.ready()).toBe(3);
});
