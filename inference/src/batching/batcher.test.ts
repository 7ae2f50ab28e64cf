import { FakeClock } from '../../test/fake-clock';
import { ManualDispatcher, settle } from '../../test/manual-dispatcher';
import { Batcher, type BatchPolicy, type Submission } from './batcher';
import { AbandonedError, DeadlineError, OverloadError } from './errors';

interface Shapes {
  readonly a: { readonly input: string; readonly output: string };
  readonly b: { readonly input: string; readonly output: string };
}

function setUp(policy: Partial<BatchPolicy> = {}, capacity = 1) {
  const clock = new FakeClock();
  const dispatcher = new ManualDispatcher(capacity);
  const dropped: string[] = [];
  const batcher = new Batcher<Shapes>({
    dispatcher,
    policy: { maxBatch: 4, maxQueue: 100, delayMs: 0, spread: false, ...policy },
    clock,
    observer: { dropped: ({ operation, reason }) => dropped.push(`${operation}:${reason}`) },
  });
  /** Submits each character as an item; failures are kept for `outcomes`. */
  const submit = (operation: 'a' | 'b', items: string, submission: Submission = {}) =>
    [...items].map((item) => batcher.submit(operation, item, submission).catch((error: Error) => error));
  return { clock, dispatcher, batcher, dropped, submit };
}

/** Ends every batch until nothing runs. */
async function finishAll(dispatcher: ManualDispatcher): Promise<void> {
  for (let i = 0; i < dispatcher.batches.length; i++) await dispatcher.batch(i).finish();
}

describe('forming batches', () => {
  test('dispatches to a free worker at once, and forms the next batch in order while it is busy', async () => {
    const { dispatcher, submit } = setUp();
    const results = submit('a', 'pqrstuv');
    expect(dispatcher.log).toEqual(['a:p']);
    await dispatcher.batch(0).finish();
    expect(dispatcher.log).toEqual(['a:p', 'a:qrst']);
    await dispatcher.batch(1).finish();
    expect(dispatcher.log).toEqual(['a:p', 'a:qrst', 'a:uv']);
    await dispatcher.batch(2).finish();
    expect(await Promise.all(results)).toEqual([...'PQRSTUV']);
  });

  test('several free workers are all used', () => {
    const { dispatcher, submit } = setUp({}, 3);
    submit('a', 'pqrs');
    expect(dispatcher.log).toEqual(['a:p', 'a:q', 'a:r']);
  });

  test('spread divides the queue among the workers; without it batches are as large as allowed', async () => {
    const divided = setUp({ spread: true }, 2);
    divided.submit('a', 'pqrstu');
    await divided.dispatcher.batch(0).finish();
    expect(divided.dispatcher.log).toEqual(['a:p', 'a:q', 'a:rs']);
    const greedy = setUp({ spread: false }, 2);
    greedy.submit('a', 'pqrstu');
    await greedy.dispatcher.batch(0).finish();
    expect(greedy.dispatcher.log).toEqual(['a:p', 'a:q', 'a:rstu']);
  });

  test('counts weights, not items, sends an item heavier than a batch alone, and keeps the order', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 4 });
    submit('a', '-');
    submit('a', 'p', { weight: 3 });
    submit('a', 'q', { weight: 2 });
    submit('a', 'r', { weight: 9 });
    submit('a', 's', { weight: 1 });
    await finishAll(dispatcher);
    expect(dispatcher.log).toEqual(['a:-', 'a:p', 'a:q', 'a:r', 'a:s']);
  });

  test('a batch holds one operation, and operations alternate', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 2 });
    submit('a', '-');
    submit('a', 'pqrs');
    submit('b', 'tuvw');
    await finishAll(dispatcher);
    expect(dispatcher.log).toEqual(['a:-', 'a:pq', 'b:tu', 'a:rs', 'b:vw']);
  });

  test('a batch gives the results of single items', async () => {
    const single = setUp({ maxBatch: 1 });
    const batched = setUp({ maxBatch: 4 });
    const results = [single, batched].map(({ submit }) => submit('a', 'abcdefg'));
    await finishAll(single.dispatcher);
    await finishAll(batched.dispatcher);
    expect(batched.dispatcher.batches.length).toBeLessThan(single.dispatcher.batches.length);
    expect(await Promise.all(results[1] ?? [])).toEqual(await Promise.all(results[0] ?? []));
  });
});

describe('queue delay', () => {
  test('a batch waits for more items, at most for the delay', async () => {
    const { clock, dispatcher, submit } = setUp({ delayMs: 10 });
    submit('a', 'p');
    clock.advance(6);
    submit('a', 'q');
    expect(dispatcher.log).toEqual([]);
    clock.advance(4);
    expect(dispatcher.log).toEqual(['a:pq']);
  });

  test('a full batch does not wait, and neither does any batch while draining', async () => {
    const { dispatcher, submit, batcher } = setUp({ delayMs: 10, maxBatch: 2 }, 2);
    submit('a', 'pqr');
    expect(dispatcher.log).toEqual(['a:pq']);
    batcher.drain();
    expect(dispatcher.log).toEqual(['a:pq', 'a:r']);
  });

  test('an operation that waits for more items does not delay a full one', () => {
    const { dispatcher, submit } = setUp({ delayMs: 10, maxBatch: 2 });
    submit('a', 'p');
    submit('b', 'tu');
    expect(dispatcher.log).toEqual(['b:tu']);
  });
});

describe('priorities', () => {
  test('interactive work goes first, and bulk work leads one dispatch in four', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 1 });
    submit('a', '-');
    submit('a', 'xyz', { priority: 'batch' });
    submit('a', '12345678');
    await finishAll(dispatcher);
    expect(dispatcher.log.map((entry) => entry.slice(2)).join('')).toBe('-123x456y78z');
  });

  test('bulk work of another operation neither starves nor overtakes interactive work', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 1 });
    submit('a', '-');
    submit('b', 'xy', { priority: 'batch' });
    submit('a', '12345');
    await finishAll(dispatcher);
    expect(dispatcher.log).toEqual(['a:-', 'a:1', 'a:2', 'a:3', 'b:x', 'a:4', 'a:5', 'b:y']);
  });

  test('bulk work fills the remaining space of an interactive batch', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 4 });
    submit('a', '-');
    submit('a', 'xyz', { priority: 'batch' });
    submit('a', '12');
    await dispatcher.batch(0).finish();
    expect(dispatcher.log[1]).toBe('a:12xy');
  });

  test('bulk work may fill only half of the queue', async () => {
    const { submit } = setUp({ maxQueue: 4 });
    submit('a', '-');
    const bulk = submit('a', 'xyz', { priority: 'batch' });
    const people = submit('a', '123');
    expect(await bulk[2]).toBeInstanceOf(OverloadError);
    expect(await people[2]).toBeInstanceOf(OverloadError);
    await settle();
    expect(await Promise.race([...bulk.slice(0, 2), ...people.slice(0, 2), 'waiting'])).toBe('waiting');
  });
});

describe('bounds', () => {
  test('refuses items that exceed the queue, with the time that the queue will take', async () => {
    const { clock, dispatcher, batcher, submit, dropped } = setUp({ maxQueue: 3, maxBatch: 1 });
    submit('a', 'l');
    clock.advance(2000);
    await dispatcher.batch(0).finish();
    submit('a', '-');
    submit('a', 'p', { weight: 2 });
    const [refused] = await Promise.all(submit('a', 'q', { weight: 2 }));
    expect(refused).toMatchObject({ name: 'OverloadError', reason: 'full' });
    // One batch runs and work for two more waits, 2 s each.
    expect((refused as OverloadError).retryAfterSeconds).toBe(6);
    submit('a', 'r');
    expect(batcher.queued).toEqual({ a: 3 });
    expect(dropped).toEqual(['a:full']);
  });

  test('reports the wait of the oldest item by operation', async () => {
    const { clock, dispatcher, batcher, submit } = setUp({ maxBatch: 1 });
    expect(batcher.oldestWaitMs).toEqual({});
    submit('a', 'p');
    clock.advance(5);
    submit('a', 'q');
    submit('b', 'r', { priority: 'batch' });
    clock.advance(30);
    submit('b', 's');
    expect(batcher.oldestWaitMs).toEqual({ a: 30, b: 30 });
    clock.advance(10);
    await dispatcher.batch(0).finish();
    expect(dispatcher.log).toEqual(['a:p', 'a:q']);
    expect(batcher.oldestWaitMs).toEqual({ a: 0, b: 40 });
    await dispatcher.batch(1).finish();
    // The one that waits longest need not be the next one.
    expect(dispatcher.log).toEqual(['a:p', 'a:q', 'b:s']);
    expect(batcher.oldestWaitMs).toEqual({ a: 0, b: 40 });
  });

  test('without a queue accepts an item of any weight while a worker is free', async () => {
    const { submit, dispatcher } = setUp({ maxQueue: 0 });
    submit('a', 'p', { weight: 7 });
    const [refused] = submit('a', 'q');
    expect(await refused).toBeInstanceOf(OverloadError);
    expect(dispatcher.log).toEqual(['a:p']);
  });
});

describe('deadlines', () => {
  test('drops an expired item before dispatch and keeps the others', async () => {
    const { clock, dispatcher, submit, dropped } = setUp({ maxQueue: 2 });
    submit('a', '-');
    const [late] = submit('a', 'p', { deadlineMs: 50 });
    const [inTime] = submit('a', 'q', { deadlineMs: 500 });
    clock.advance(50);
    const [next] = submit('a', 'r');
    expect(await late).toBeInstanceOf(DeadlineError);
    await dispatcher.batch(0).finish();
    expect(dispatcher.log[1]).toBe('a:qr');
    await dispatcher.batch(1).finish();
    expect(await Promise.all([inTime, next])).toEqual(['Q', 'R']);
    expect(dropped).toEqual(['a:expired']);
  });

  test('an item without time left is refused although a worker is free', async () => {
    const { submit, dispatcher } = setUp();
    expect(await submit('a', 'p', { deadlineMs: 0 })[0]).toBeInstanceOf(DeadlineError);
    expect(dispatcher.log).toEqual([]);
  });

  test('refuses items that would be late and accepts others', async () => {
    const { clock, dispatcher, submit, dropped } = setUp({ maxBatch: 1 });
    submit('a', 'l');
    clock.advance(100);
    await dispatcher.batch(0).finish();
    submit('a', '-p');
    clock.advance(40);
    // 60 ms of the running item, 100 ms of the waiting one, 100 ms of its own.
    const [late] = submit('a', 'q', { deadlineMs: 259 });
    const [inTime] = submit('a', 'r', { deadlineMs: 260 });
    expect(await late).toMatchObject({ name: 'OverloadError', reason: 'deadline' });
    await finishAll(dispatcher);
    expect(await inTime).toBe('R');
    expect(dropped).toEqual(['a:deadline']);
  });

  test('bulk work in the queue does not delay an interactive item', async () => {
    const { clock, dispatcher, submit } = setUp({ maxBatch: 1 });
    submit('a', 'l');
    clock.advance(100);
    await dispatcher.batch(0).finish();
    submit('a', '-');
    submit('a', 'xyz', { priority: 'batch' });
    const [person] = submit('a', 'p', { deadlineMs: 200 });
    const [bulk] = submit('a', 'w', { deadlineMs: 500, priority: 'batch' });
    expect(await bulk).toBeInstanceOf(OverloadError);
    await finishAll(dispatcher);
    expect(await person).toBe('P');
  });

  test('refuses nothing while a worker is free, so that the forecast can recover', async () => {
    const { clock, dispatcher, submit } = setUp();
    submit('a', 'l');
    clock.advance(60_000);
    await dispatcher.batch(0).finish();
    submit('a', 'p', { deadlineMs: 10 });
    expect(dispatcher.log).toEqual(['a:l', 'a:p']);
  });
});

describe('disconnected callers, broken workers and shutdown', () => {
  test('drops the queued item of a disconnected caller', async () => {
    const { dispatcher, submit, batcher } = setUp();
    const gone = new AbortController();
    const [running] = submit('a', '-', { signal: gone.signal });
    const [left] = submit('a', 'p', { signal: gone.signal });
    submit('a', 'q');
    gone.abort();
    expect(await left).toBeInstanceOf(AbandonedError);
    expect(batcher.queued).toEqual({ a: 1 });
    await dispatcher.batch(0).finish();
    expect(await running).toBe('-');
    expect(dispatcher.log[1]).toBe('a:q');
    expect(await submit('a', 'r', { signal: gone.signal })[0]).toBeInstanceOf(AbandonedError);
  });

  test('a failing batch fails only its own items', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 2 });
    const results = submit('a', '-pqrs');
    await dispatcher.batch(0).finish();
    const broken = new Error('worker died');
    await dispatcher.batch(1).fail(broken);
    await dispatcher.batch(2).finish();
    expect(await Promise.all(results)).toEqual(['-', broken, broken, 'R', 'S']);
  });

  test('a missing result fails the batch instead of shifting the others', async () => {
    const { dispatcher, submit } = setUp();
    const results = submit('a', '-pq');
    await dispatcher.batch(0).finish();
    await dispatcher.batch(1).finish(['P']);
    for (const result of await Promise.all(results.slice(1))) {
      expect(result).toMatchObject({ message: '"a" returned 1 results for 2 items' });
    }
  });

  test('draining refuses new items and ends with the last result', async () => {
    const { dispatcher, submit, batcher } = setUp();
    const results = submit('a', '-p');
    let drained = false;
    const draining = batcher.drain().then(() => {
      drained = true;
    });
    expect(await submit('a', 'q')[0]).toMatchObject({ name: 'OverloadError', reason: 'draining' });
    await dispatcher.batch(0).finish();
    expect(drained).toBe(false);
    await dispatcher.batch(1).finish();
    await draining;
    expect(await Promise.all(results)).toEqual(['-', 'P']);
    await setUp().batcher.drain();
  });
});
