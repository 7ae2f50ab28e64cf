import { facesIn, photo } from '../../test/photos';
import { workerSetup } from '../../test/setup';
import type { Task } from './messages';
import { OverloadError, WorkerPool } from './pool';

const task = (number: number): Task => ({ kind: 'detect', image: Uint8Array.from(photo(number)) });

test('answers each task with its own faces, refuses what the queue cannot hold, drains before it closes', async () => {
  const pool = await WorkerPool.start({ setup: await workerSetup(), workers: 2, maxQueue: 4 });
  expect(pool.device).toBe('cpu');

  const numbers = [1, 2, 3, 4, 5, 6];
  const running = numbers.map((number) => pool.run(task(number)));
  expect(pool.queued).toBe(4);
  await expect(pool.run(task(1))).rejects.toThrow(OverloadError);

  const closing = pool.close();
  await expect(pool.run(task(1))).rejects.toThrow(OverloadError);
  const results = await Promise.all(running);
  await closing;
  results.forEach((result, i) => {
    expect(result).toMatchObject({ ok: true });
    if (result.ok) expect(result.detection.faces).toHaveLength(facesIn[numbers[i] as number] as number);
  });
});

test('a refused image is a result', async () => {
  const pool = await WorkerPool.start({ setup: await workerSetup(), workers: 1, maxQueue: 1 });
  const result = await pool.run({ kind: 'detect', image: Uint8Array.of(1, 2, 3) });
  expect(result).toEqual({ ok: false, fault: 'format', values: {} });
  await pool.close();
});

test('a model that cannot be loaded stops the start with its path', async () => {
  const setup = await workerSetup();
  const models = { detector: { ...setup.models.detector, path: '/nowhere/model.onnx' } };
  await expect(WorkerPool.start({ setup: { models }, workers: 1, maxQueue: 1 })).rejects.toThrow(
    '/nowhere/model.onnx',
  );
});
