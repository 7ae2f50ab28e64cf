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
  test('a free worker gets an item at once; the next batch forms while it is busy, first in first out', async () => {
    const { dispatcher, submit } = setUp();
    const answers = submit('a', 'pqrstuv');
    expect(dispatcher.log).toEqual(['a:p']);
    await dispatcher.batch(0).finish();
    expect(dispatcher.log).toEqual(['a:p', 'a:qrst']);
    await dispatcher.batch(1).finish();
    expect(dispatcher.log).toEqual(['a:p', 'a:qrst', 'a:uv']);
    await dispatcher.batch(2).finish();
    expect(await Promise.all(answers)).toEqual([...'PQRSTUV']);
  });

  test('several free workers are all used', () => {
    const { dispatcher, submit } = setUp({}, 3);
    submit('a', 'pqrs');
    expect(dispatcher.log).toEqual(['a:p', 'a:q', 'a:r']);
  });

  test('spread divides what waits among the workers, else a batch is as large as it may be', async () => {
    const divided = setUp({ spread: true }, 2);
    divided.submit('a', 'pqrstu');
    await divided.dispatcher.batch(0).finish();
    expect(divided.dispatcher.log).toEqual(['a:p', 'a:q', 'a:rs']);
    const greedy = setUp({ spread: false }, 2);
    greedy.submit('a', 'pqrstu');
    await greedy.dispatcher.batch(0).finish();
    expect(greedy.dispatcher.log).toEqual(['a:p', 'a:q', 'a:rstu']);
  });

  test('weights are counted, not items; one heavier than a batch goes alone; order is kept', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 4 });
    submit('a', '-');
    submit('a', 'p', { weight: 3 });
    submit('a', 'q', { weight: 2 });
    submit('a', 'r', { weight: 9 });
    submit('a', 's', { weight: 1 });
    await finishAll(dispatcher);
    expect(dispatcher.log).toEqual(['a:-', 'a:p', 'a:q', 'a:r', 'a:s']);
  });

  test('a batch holds one operation only, and operations take turns', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 2 });
    submit('a', '-');
    submit('a', 'pqrs');
    submit('b', 'tuvw');
    await finishAll(dispatcher);
    expect(dispatcher.log).toEqual(['a:-', 'a:pq', 'b:tu', 'a:rs', 'b:vw']);
  });

  test('a batch answers what single items would', async () => {
    const single = setUp({ maxBatch: 1 });
    const batched = setUp({ maxBatch: 4 });
    const answers = [single, batched].map(({ submit }) => submit('a', 'abcdefg'));
    await finishAll(single.dispatcher);
    await finishAll(batched.dispatcher);
    expect(batched.dispatcher.batches.length).toBeLessThan(single.dispatcher.batches.length);
    expect(await Promise.all(answers[1] ?? [])).toEqual(await Promise.all(answers[0] ?? []));
  });
});

describe('queue delay', () => {
  test('a batch waits for more, but no longer than the delay', async () => {
    const { clock, dispatcher, submit } = setUp({ delayMs: 10 });
    submit('a', 'p');
    clock.advance(6);
    submit('a', 'q');
    expect(dispatcher.log).toEqual([]);
    clock.advance(4);
    expect(dispatcher.log).toEqual(['a:pq']);
  });

  test('a full batch does not wait, nor does anything while draining', async () => {
    const { dispatcher, submit, batcher } = setUp({ delayMs: 10, maxBatch: 2 }, 2);
    submit('a', 'pqr');
    expect(dispatcher.log).toEqual(['a:pq']);
    batcher.drain();
    expect(dispatcher.log).toEqual(['a:pq', 'a:r']);
  });

  test('one operation that waits for more does not hold up another that is full', () => {
    const { dispatcher, submit } = setUp({ delayMs: 10, maxBatch: 2 });
    submit('a', 'p');
    submit('b', 'tu');
    expect(dispatcher.log).toEqual(['b:tu']);
  });
});

describe('priorities', () => {
  test('interactive goes first, one dispatch in four is bulk', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 1 });
    submit('a', '-');
    submit('a', 'xyz', { priority: 'batch' });
    submit('a', '12345678');
    await finishAll(dispatcher);
    expect(dispatcher.log.map((entry) => entry.slice(2)).join('')).toBe('-123x456y78z');
  });

  test('bulk work of another operation neither starves nor goes before interactive work', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 1 });
    submit('a', '-');
    submit('b', 'xy', { priority: 'batch' });
    submit('a', '12345');
    await finishAll(dispatcher);
    expect(dispatcher.log).toEqual(['a:-', 'a:1', 'a:2', 'a:3', 'b:x', 'a:4', 'a:5', 'b:y']);
  });

  test('bulk work fills the places that interactive work leaves in a batch', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 4 });
    submit('a', '-');
    submit('a', 'xyz', { priority: 'batch' });
    submit('a', '12');
    await dispatcher.batch(0).finish();
    expect(dispatcher.log[1]).toBe('a:12xy');
  });

  test('bulk work may fill half of the queue only', async () => {
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
  test('what the queue cannot hold is refused with the time the queue will take', async () => {
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

  test('what waits longest is known, by operation', async () => {
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

  test('without a queue an item is taken while a worker is free, whatever it weighs', async () => {
    const { submit, dispatcher } = setUp({ maxQueue: 0 });
    submit('a', 'p', { weight: 7 });
    const [refused] = submit('a', 'q');
    expect(await refused).toBeInstanceOf(OverloadError);
    expect(dispatcher.log).toEqual(['a:p']);
  });
});

describe('deadlines', () => {
  test('an expired item is dropped before dispatch and makes room; its neighbours go on', async () => {
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

  test('what would be late is refused at the door, what would not is taken', async () => {
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

  test('bulk work ahead does not count for an interactive item', async () => {
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

  test('nothing is shed while a worker is free: the forecast must be able to recover', async () => {
    const { clock, dispatcher, submit } = setUp();
    submit('a', 'l');
    clock.advance(60_000);
    await dispatcher.batch(0).finish();
    submit('a', 'p', { deadlineMs: 10 });
    expect(dispatcher.log).toEqual(['a:l', 'a:p']);
  });
});

describe('when callers leave, workers break, or the process stops', () => {
  test('a caller that leaves takes its queued item along', async () => {
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

  test('a failing batch fails its own items only', async () => {
    const { dispatcher, submit } = setUp({ maxBatch: 2 });
    const answers = submit('a', '-pqrs');
    await dispatcher.batch(0).finish();
    const broken = new Error('worker died');
    await dispatcher.batch(1).fail(broken);
    await dispatcher.batch(2).finish();
    expect(await Promise.all(answers)).toEqual(['-', broken, broken, 'R', 'S']);
  });

  test('a missing answer fails the batch instead of answering another item', async () => {
    const { dispatcher, submit } = setUp();
    const answers = submit('a', '-pq');
    await dispatcher.batch(0).finish();
    await dispatcher.batch(1).finish(['P']);
    for (const answer of await Promise.all(answers.slice(1))) {
      expect(answer).toMatchObject({ message: '"a" answered 1 of 2 items' });
    }
  });

  test('draining refuses what is new and ends with the last answer', async () => {
    const { dispatcher, submit, batcher } = setUp();
    const answers = submit('a', '-p');
    let drained = false;
    const draining = batcher.drain().then(() => {
      drained = true;
    });
    expect(await submit('a', 'q')[0]).toMatchObject({ name: 'OverloadError', reason: 'draining' });
    await dispatcher.batch(0).finish();
    expect(drained).toBe(false);
    await dispatcher.batch(1).finish();
    await draining;
    expect(await Promise.all(answers)).toEqual(['-', 'P']);
    await setUp().batcher.drain();
  });
});
