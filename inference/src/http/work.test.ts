import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Response } from 'express';
import { Batcher } from '../batching/batcher';
import type { Work } from './work';
import { timingsOf, together, WorkTimes } from './work';

const timings = { serviceMs: 30, decodeMs: 10, modelMs: { near: 8, mesh: 4 } };
const respondingWith = (work?: readonly Work[]) =>
  ({ locals: { ...(work && { work }) } }) as unknown as Response;
const work = (submitted: number, begun: number, modelMs: Record<string, number>): Work => ({
  operation: 'describe',
  submitted,
  begun,
  batchItems: 1,
  serviceMs: 30,
  decodeMs: 10,
  modelMs,
});

test('records the run of each item of a batch, and reports to the other observer', () => {
  const seen: unknown[] = [];
  const times = new WorkTimes();
  const observer = times.observe({ completed: (operation) => seen.push(operation), recycled: () => {} });
  const [first, second] = [{ image: new Uint8Array(1) }, { image: new Uint8Array(1) }];
  const before = performance.now();
  observer.completed?.('detect', timings, [first, second]);
  expect(seen).toEqual(['detect']);
  expect(observer.recycled).toBeDefined();
  expect(times.of(second)).toMatchObject({ ...timings, batchItems: 2 });
  expect(times.of(first)?.begun).toBeGreaterThanOrEqual(before - timings.serviceMs);
  expect(times.of({})).toBeUndefined();
});

test('the parts of the timings are those of the item that ended last', () => {
  const both = [work(0, 5, { near: 1 }), work(0, 7, { near: 8, mesh: 4 })];
  const { totalMs, ...parts } = timingsOf(respondingWith(both), performance.now());
  expect(parts).toEqual({ queueMs: 7, decodeMs: 10, modelMs: 12 });
  expect(totalMs).toBeGreaterThanOrEqual(0);
});

test('timings of an unknown run hold only the total', () => {
  expect(timingsOf(respondingWith(), performance.now())).toEqual({ totalMs: expect.any(Number) });
});

describe('together', () => {
  const policy = { maxBatch: 1, maxQueue: 2, delayMs: 0, spread: true };

  /** One worker, whose batches end when the test says so. */
  function tier() {
    const ends: ((failure?: Error) => void)[] = [];
    const begun: unknown[] = [];
    const dispatch = (_operation: string, items: readonly unknown[]) =>
      new Promise<readonly unknown[]>((resolve, reject) => {
        begun.push(...items);
        ends.push((failure) => (failure ? reject(failure) : resolve(items)));
      });
    const batcher = new Batcher<{ describe: { input: string; output: string } }>({
      dispatcher: { capacity: 1, dispatch },
      policy,
    });
    const pair = (names: readonly string[], signal?: AbortSignal) =>
      together({ ...(signal && { signal }) }, (each) =>
        names.map((name) => batcher.submit('describe', name, each)),
      );
    return { batcher, begun, pair, end: (failure?: Error) => ends.shift()?.(failure) };
  }

  test('returns all results in order', async () => {
    const { pair, end, begun } = tier();
    const results = pair(['source', 'target']);
    end();
    await new Promise(setImmediate);
    end();
    await expect(results).resolves.toEqual(['source', 'target']);
    expect(begun).toEqual(['source', 'target']);
  });

  test('withdraws the waiting items of a request when one of them is refused', async () => {
    const { batcher, pair, begun, end } = tier();
    const held = batcher.submit('describe', 'held', {});
    const waits = batcher.submit('describe', 'waits', {});
    await expect(pair(['source', 'target'])).rejects.toThrow('full');
    expect(batcher.queued).toEqual({ describe: 1 });

    const next = batcher.submit('describe', 'next', {});
    for (let i = 0; i < 3; i++) {
      end();
      await new Promise(setImmediate);
    }
    await Promise.all([held, waits, next]);
    expect(begun).toEqual(['held', 'waits', 'next']);
  });

  test('withdraws the waiting items when one fails, and all items when the caller disconnects', async () => {
    const { batcher, pair, end } = tier();
    const failing = pair(['source', 'target', 'third']);
    end(new Error('broke'));
    await expect(failing).rejects.toThrow('broke');
    // The second started when the first ended.
    expect(batcher.queued).toEqual({ describe: 0 });

    const caller = new AbortController();
    const abandoned = pair(['source', 'target'], caller.signal);
    expect(batcher.queued).toEqual({ describe: 2 });
    caller.abort();
    await expect(abandoned).rejects.toThrow();
    expect(batcher.queued).toEqual({ describe: 0 });
    end();
    await batcher.drain();
  });

  test('releases the items of a finished request', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const batcher = new Batcher<{ describe: { input: object; output: object } }>({
      dispatcher: { capacity: 2, dispatch: async (_operation, items) => items },
      policy,
    });
    const serve = async () => {
      const items = [{ image: 'source' }, { image: 'target' }];
      const { signal } = new AbortController();
      await together({ signal }, (each) => items.map((item) => batcher.submit('describe', item, each)));
      return items.map((item) => new WeakRef(item));
    };
    const kept = await serve();
    // The target of a new WeakRef is held until the current job ends.
    await new Promise(setImmediate);
    collect();
    expect(kept.map((item) => item.deref())).toEqual([undefined, undefined]);
  });
});
