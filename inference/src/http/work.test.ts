import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Response } from 'express';
import { ManualDispatcher } from '../../test/manual-dispatcher';
import { Scheduler } from '../scheduling/scheduler';
import type { Work } from './work';
import { timingsOf, together } from './work';

const respondingWith = (work?: readonly Work[]) =>
  ({ locals: { ...(work && { work }) } }) as unknown as Response;
const work = (submitted: number, begun: number, modelMs: Record<string, number>): Work => ({
  operation: 'describe',
  submitted,
  begun,
  serviceMs: 30,
  decodeMs: 10,
  priceMs: 0,
  models: Object.fromEntries(Object.entries(modelMs).map(([role, ms]) => [role, { ms, items: 1, runs: 1 }])),
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
  /** One worker, whose items the test ends. */
  function tier() {
    const dispatcher = new ManualDispatcher();
    const scheduler = new Scheduler({ dispatcher, maxQueue: 2 });
    const pair = (names: readonly string[], signal?: AbortSignal) =>
      together({ ...(signal && { signal }) }, (each) =>
        names.map((name) => scheduler.submit('describe', name, each)),
      );
    let ended = 0;
    const end = (failure?: Error) => {
      const run = dispatcher.run(ended++);
      return failure ? run.fail(failure) : run.finish();
    };
    return { scheduler, dispatcher, pair, end };
  }

  test('returns all results in order', async () => {
    const { pair, end } = tier();
    const results = pair(['source', 'target']);
    await end();
    await end();
    await expect(results).resolves.toMatchObject([{ result: 'SOURCE' }, { result: 'TARGET' }]);
  });

  test('withdraws the waiting items of a request when one of them is refused', async () => {
    const { scheduler, dispatcher, pair, end } = tier();
    const held = scheduler.submit('describe', 'held', {});
    const waits = scheduler.submit('describe', 'waits', {});
    await expect(pair(['source', 'target'])).rejects.toThrow('full');
    expect(scheduler.queued).toEqual({ describe: 1 });

    const next = scheduler.submit('describe', 'next', {});
    for (let i = 0; i < 3; i++) await end();
    await Promise.all([held, waits, next]);
    expect(dispatcher.log).toBe('held waits next');
  });

  test('withdraws the waiting items when one fails, and all items when the caller disconnects', async () => {
    const { scheduler, pair, end } = tier();
    const failing = pair(['source', 'target', 'third']);
    void end(new Error('broke'));
    await expect(failing).rejects.toThrow('broke');
    // The second started when the first ended.
    expect(scheduler.queued).toEqual({ describe: 0 });

    const caller = new AbortController();
    const abandoned = pair(['source', 'target'], caller.signal);
    expect(scheduler.queued).toEqual({ describe: 2 });
    caller.abort();
    await expect(abandoned).rejects.toThrow();
    expect(scheduler.queued).toEqual({ describe: 0 });
    void end();
    await scheduler.drain();
  });

  test('releases the items of a finished request', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const scheduler = new Scheduler({
      dispatcher: { capacity: 4, dispatch: async () => ({ busyMs: 1 }) },
      maxQueue: 2,
    });
    const serve = async () => {
      const items = [{ image: 'source' }, { image: 'target' }];
      const { signal } = new AbortController();
      await together({ signal }, (each) => items.map((item) => scheduler.submit('describe', item, each)));
      return items.map((item) => new WeakRef(item));
    };
    const kept = await serve();
    // The target of a new WeakRef is held until the current job ends.
    await new Promise(setImmediate);
    collect();
    expect(kept.map((item) => item.deref())).toEqual([undefined, undefined]);
  });
});
