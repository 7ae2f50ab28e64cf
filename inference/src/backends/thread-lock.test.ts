import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { lockMemoryFor } from './thread-lock';

const compiled = JSON.stringify(join(__dirname, '..', '..', 'dist', 'backends', 'thread-lock.js'));
const preamble = `
  const { workerData, parentPort } = require('node:worker_threads');
  const { ThreadLock } = require(${compiled});
  const lock = new ThreadLock(workerData.lock);
  const counter = new Int32Array(workerData.counter);
  const tick = () => new Promise(setImmediate);
`;
const counts = `
  parentPort.once('message', () => {});
  const increment = () => lock.hold(async () => {
    // This is deliberately not atomic: a second holder between reading and writing loses a count.
    const before = counter[0];
    await tick();
    counter[0] = before + 1;
  });
  Promise.all(Array.from({ length: 100 }, increment)).then(() => parentPort.close());
`;
const shared = () => ({
  lock: lockMemoryFor('webgpu') as SharedArrayBuffer,
  counter: new SharedArrayBuffer(4),
});
const startThread = (code: string, workerData: ReturnType<typeof shared>) =>
  new Worker(preamble + code, { eval: true, workerData });

test('only WebGPU needs a lock', () => {
  expect((['cpu', 'cuda', 'tensorflow', 'wasm'] as const).map(lockMemoryFor)).toEqual(
    Array.from({ length: 4 }),
  );
});

test('one holder at a time, among the calls of a thread and among threads', async () => {
  const data = shared();
  await Promise.all([1, 2, 3].map(() => once(startThread(counts, data), 'exit')));
  expect(new Int32Array(data.counter)[0]).toBe(300);
});

test('a thread that dies while it holds the lock releases it', async () => {
  const data = shared();
  const dying = startThread(
    `lock.hold(() => { setImmediate(() => { throw new Error('died'); }); return new Promise(() => {}); });`,
    data,
  );
  await expect(once(dying, 'exit')).rejects.toThrow('died');
  await once(startThread(counts, data), 'exit');
  expect(new Int32Array(data.counter)[0]).toBe(100);
});
