import type { Response } from 'express';
import type { Work } from './work';
import { timingsOf, WorkTimes } from './work';

const timings = { serviceMs: 30, decodeMs: 10, modelMs: { near: 8, mesh: 4 } };
const answering = (work?: readonly Work[]) => ({ locals: { ...(work && { work }) } }) as unknown as Response;
const work = (submitted: number, begun: number, modelMs: Record<string, number>): Work => ({
  operation: 'describe',
  submitted,
  begun,
  batchItems: 1,
  serviceMs: 30,
  decodeMs: 10,
  modelMs,
});

test('an item is found by what its batch took, beside what else is told', () => {
  const told: unknown[] = [];
  const times = new WorkTimes();
  const observer = times.beside({ answered: (operation) => told.push(operation), recycled: () => {} });
  const [first, second] = [{ image: new Uint8Array(1) }, { image: new Uint8Array(1) }];
  const before = performance.now();
  observer.answered?.('detect', timings, [first, second]);
  expect(told).toEqual(['detect']);
  expect(observer.recycled).toBeDefined();
  expect(times.of(second)).toMatchObject({ ...timings, batchItems: 2 });
  expect(times.of(first)?.begun).toBeGreaterThanOrEqual(before - timings.serviceMs);
  expect(times.of({})).toBeUndefined();
});

test('the parts of the time are those of the item that ended last', () => {
  const both = [work(0, 5, { near: 1 }), work(0, 7, { near: 8, mesh: 4 })];
  const { totalMs, ...parts } = timingsOf(answering(both), performance.now());
  expect(parts).toEqual({ queueMs: 7, decodeMs: 10, modelMs: 12 });
  expect(totalMs).toBeGreaterThanOrEqual(0);
});

test('nothing is said of parts that are not known', () => {
  expect(timingsOf(answering(), performance.now())).toEqual({ totalMs: expect.any(Number) });
});
