// Slow: pools of workers load all models several times and are replaced under full load.
import { readdirSync, readFileSync } from 'node:fs';
import { settle } from '../../test/manual-dispatcher';
import { facesIn, photo } from '../../test/photos';
import { rolesOfDetection, servingModels, startPool } from '../../test/setup';
import { AbandonedError, DeadlineError } from '../scheduling/errors';
import type { Detection } from '../wire';
import type { Done, PoolOptions, RecycleReason, WorkerPool } from './pool';

const image = (number: number) => ({ image: Uint8Array.from(photo(number)) });
const faces = ({ result }: Done) => (result.ok ? (result.value as Detection).faces.length : result.reason);
const startDetecting = (options: Partial<PoolOptions> = {}) =>
  startPool({ roles: rolesOfDetection, ...options });
const anyone = { account: '', deadlineMs: Number.POSITIVE_INFINITY };

test('isolates a broken item, and finishes running items before it closes', async () => {
  const pool = await startDetecting({ workers: 2, tasksPerWorker: 2 });
  expect(pool).toMatchObject({ backend: 'onnx', device: 'cpu', workers: 2, capacity: 4 });
  const broken = { image: Uint8Array.of(1, 2, 3) };
  const running = [4, 1, 6].map((number) => pool.dispatch('detect', image(number), anyone));
  running.push(pool.dispatch('detect', broken, anyone));
  await expect(pool.dispatch('detect', image(1), anyone)).rejects.toThrow('Every worker is busy');
  const closing = pool.close();
  await expect(pool.dispatch('detect', image(1), anyone)).rejects.toThrow('closing');
  expect((await Promise.all(running)).map(faces)).toEqual([facesIn[4], facesIn[1], facesIn[6], 'format']);
  await closing;
});

test('transfers the image instead of copying it, and reports what it took of each model', async () => {
  const pool = await startDetecting();
  const item = image(4);
  const { timings, busyMs } = await pool.dispatch('detect', item, anyone);
  expect(item.image.byteLength).toBe(0);
  expect(timings.models.thorough).toEqual({ ms: expect.any(Number), items: 1, runs: 1 });
  expect(busyMs).toBeGreaterThan(0);
  await pool.close();
});

test('an item whose deadline passes between two models ends', async () => {
  const pool = await startDetecting();
  const late = pool.dispatch('detect', image(4), { account: '', deadlineMs: 1 });
  const error = await late.catch((reason: Error) => reason);
  expect(error).toBeInstanceOf(DeadlineError);
  expect(error).toMatchObject({ busyMs: expect.any(Number) });
  expect(faces(await pool.dispatch('detect', image(4), anyone))).toBe(facesIn[4]);
  await pool.close();
});

test('an item whose caller disconnects ends at its next step, before it is decoded or between two models', async () => {
  const pool = await startDetecting();
  const ticket = () => ({ ...anyone, abandoned: new SharedArrayBuffer(4) });
  const gone = ticket();
  Atomics.store(new Int32Array(gone.abandoned), 0, 1);
  const unread = await pool.dispatch('detect', image(4), gone).catch((reason: Error) => reason);
  expect(unread).toBeInstanceOf(AbandonedError);
  expect(unread).toMatchObject({ busyMs: 0 });
  const leaves = ticket();
  const item = pool.dispatch('detect', image(4), leaves).catch((reason: Error) => reason);
  await settle();
  Atomics.store(new Int32Array(leaves.abandoned), 0, 1);
  expect(await item).toBeInstanceOf(AbandonedError);
  expect(faces(await pool.dispatch('detect', image(4), ticket()))).toBe(facesIn[4]);
  await pool.close();
});

test('workers that share a device find the same faces, in runs on images of several items', async () => {
  const use: { items: number; runs: number } = { items: 0, runs: 0 };
  const pool = await startDetecting({
    workers: 2,
    tasksPerWorker: 8,
    sharedDevices: true,
    stages: { maxBatch: 8, sliceMs: Number.POSITIVE_INFINITY, gatherMs: 1000 },
    observer: {
      completed(_operation, { models: { near } }) {
        use.items += near?.items ?? 0;
        use.runs += near?.runs ?? 0;
      },
    },
  });
  expect(pool).toMatchObject({ workers: 2, modelThreads: 1 });
  const alone = faces(await pool.dispatch('detect', image(1), anyone));
  const together = await Promise.all(
    Array.from({ length: 8 }, () => pool.dispatch('detect', image(4), anyone)),
  );
  expect([alone, ...together.map(faces)]).toEqual([facesIn[1], ...together.map(() => facesIn[4])]);
  expect(use.items / use.runs).toBeGreaterThan(2);
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
  const pool = await startDetecting({ workers: 2 });
  const begun = [...nicenesses()].filter(([thread]) => !before.has(thread));
  const processNiceness = before.get(String(process.pid)) ?? Number.NaN;
  expect(
    begun.filter(([, niceness]) => niceness === Math.min(19, processNiceness + 5)).length,
  ).toBeGreaterThanOrEqual(2);
  expect(nicenesses().get(String(process.pid))).toBe(processNiceness);
  await pool.close();
});

/** Keeps every worker busy until the items are enough, and returns their results. */
async function saturate(pool: WorkerPool, enough: (items: number) => boolean): Promise<unknown[]> {
  const results: unknown[] = [];
  let given = 0;
  const feed = async () => {
    while (!enough(given)) {
      given += 1;
      results.push(faces(await pool.dispatch('detect', image(4), anyone)));
    }
  };
  await Promise.all(Array.from({ length: pool.capacity }, feed));
  return results;
}

test('replaces workers that have used up their budget under full load, and loses no request', async () => {
  const recycled: RecycleReason[] = [];
  const pool = await startDetecting({
    workers: 2,
    tasksPerWorker: 2,
    budget: { maxTasks: 5, maxRssBytes: 0, rssBytes: () => 0 },
    observer: { recycled: (reason) => recycled.push(reason) },
  });
  const results = await saturate(pool, () => recycled.length >= 2);
  expect(results).toEqual(results.map(() => facesIn[4]));
  await pool.close();
  expect(new Set(recycled)).toEqual(new Set(['tasks']));
});

test('workers that share a device outlive its replacement under full load', async () => {
  const recycled: RecycleReason[] = [];
  const pool = await startDetecting({
    workers: 2,
    tasksPerWorker: 2,
    sharedDevices: true,
    budget: { maxTasks: 8, maxRssBytes: 1000, rssBytes: () => 1001 },
    observer: { recycled: (reason) => recycled.push(reason) },
  });
  const results = await saturate(pool, () => new Set(recycled).size === 2);
  expect(results).toEqual(results.map(() => facesIn[4]));
  await pool.close();
  expect(new Set(recycled)).toEqual(new Set(['memory', 'tasks']));
});

test('memory above the budget replaces one worker and pauses before the next', async () => {
  const recycled: RecycleReason[] = [];
  const pool = await startDetecting({
    budget: { maxTasks: 0, maxRssBytes: 1000, rssBytes: () => 1001 },
    observer: { recycled: (reason) => recycled.push(reason) },
  });
  await saturate(pool, (items) => items >= 8);
  await pool.close();
  expect(recycled).toEqual(['memory']);
});

test('a model that cannot be loaded stops the start with its path', async () => {
  const serving = await servingModels();
  const mesh = { ...serving.models.mesh, path: '/nowhere/model.onnx' };
  const broken = { ...serving, models: { ...serving.models, mesh } };
  await expect(startPool({ serving: broken, workers: 2 })).rejects.toThrow('/nowhere/model.onnx');
});
