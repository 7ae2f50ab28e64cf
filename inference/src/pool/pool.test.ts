import { readdirSync, readFileSync } from 'node:fs';
import { facesIn, photo } from '../../test/photos';
import { servingModels, startPool } from '../../test/setup';
import type { ItemResult } from '../pipeline/operations';
import type { Detection } from '../wire';
import type { RecycleReason, WorkerPool } from './pool';

const images = (...numbers: number[]) => numbers.map((number) => ({ image: Uint8Array.from(photo(number)) }));
const faces = (results: readonly ItemResult<unknown>[]) =>
  results.map((result) => (result.ok ? (result.value as Detection).faces.length : result.reason));
const expected = (...numbers: number[]) => numbers.map((number) => facesIn[number]);

test('returns results in order, isolates a broken item, and finishes running batches before it closes', async () => {
  const pool = await startPool({ workers: 2 });
  expect(pool).toMatchObject({ backend: 'onnx', device: 'cpu', workers: 2, capacity: 2 });
  const broken = { image: Uint8Array.of(1, 2, 3) };
  const running = [
    pool.dispatch('detect', [...images(4), broken, ...images(5)]),
    pool.dispatch('detect', images(1, 6)),
  ];
  await expect(pool.dispatch('detect', images(1))).rejects.toThrow('Every worker is busy');
  const closing = pool.close();
  await expect(pool.dispatch('detect', images(1))).rejects.toThrow('closing');
  const [first, second] = await Promise.all(running);
  expect(faces(first ?? [])).toEqual([facesIn[4], 'format', facesIn[5]]);
  expect(faces(second ?? [])).toEqual(expected(1, 6));
  await closing;
});

test('transfers images instead of copying them, and reports the time in models', async () => {
  const timings: Record<string, number>[] = [];
  const pool = await startPool({ observer: { completed: (_, { modelMs }) => timings.push(modelMs) } });
  const [item] = images(4);
  await pool.dispatch('detect', [item]);
  expect(item?.image.byteLength).toBe(0);
  expect(Object.values(timings[0] ?? {}).reduce((a, b) => a + b, 0)).toBeGreaterThan(0);
  await pool.close();
});

/** Niceness of each thread of this process, by thread (proc(5), field 19 of stat). */
const nicenesses = () =>
  new Map(
    readdirSync('/proc/self/task').map((thread) => {
      const [, rest = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ');
      return [thread, Number(rest.split(' ')[16])];
    }),
  );

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('models yield to the threads that accept requests', async () => {
  const before = nicenesses();
  const pool = await startPool({ workers: 2 });
  const begun = [...nicenesses()].filter(([thread]) => !before.has(thread));
  const own = before.get(String(process.pid)) ?? Number.NaN;
  expect(begun.filter(([, niceness]) => niceness === Math.min(19, own + 5)).length).toBeGreaterThanOrEqual(2);
  expect(nicenesses().get(String(process.pid))).toBe(own);
  await pool.close();
});

/** Keeps every worker busy with `total` batches and returns their results. */
async function saturate(pool: WorkerPool, total: number): Promise<unknown[]> {
  const results: unknown[] = [];
  let given = 0;
  const feed = async () => {
    while (given < total) {
      given += 1;
      const batch = await pool.dispatch('detect', images(4));
      results.push(...faces(batch));
    }
  };
  await Promise.all(Array.from({ length: pool.capacity }, feed));
  return results;
}

test('replaces workers that have used up their budget under full load, and loses no request', async () => {
  const recycled: RecycleReason[] = [];
  const pool = await startPool({
    workers: 2,
    tasksPerWorker: 2,
    budget: { maxTasks: 5, maxRssBytes: 0, rssBytes: () => 0 },
    observer: { recycled: (reason) => recycled.push(reason) },
  });
  const results = await saturate(pool, 40);
  expect(results).toEqual(Array.from({ length: 40 }, () => facesIn[4]));
  await pool.close();
  expect(recycled.length).toBeGreaterThanOrEqual(2);
  expect(new Set(recycled)).toEqual(new Set(['tasks']));
});

test('memory above the budget replaces one worker and pauses before the next', async () => {
  const recycled: RecycleReason[] = [];
  const pool = await startPool({
    budget: { maxTasks: 0, maxRssBytes: 1000, rssBytes: () => 1001 },
    observer: { recycled: (reason) => recycled.push(reason) },
  });
  await saturate(pool, 8);
  await pool.close();
  expect(recycled).toEqual(['memory']);
});

test('a model that cannot be loaded stops the start with its path', async () => {
  const serving = await servingModels();
  const mesh = { ...serving.models.mesh, path: '/nowhere/model.onnx' };
  const broken = { ...serving, models: { ...serving.models, mesh } };
  await expect(startPool({ serving: broken, workers: 2 })).rejects.toThrow('/nowhere/model.onnx');
});
