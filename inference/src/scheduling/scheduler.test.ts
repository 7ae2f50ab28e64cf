import { FakeClock } from '../../test/fake-clock';
import { ManualDispatcher, settle } from '../../test/manual-dispatcher';
import { AbandonedError, DeadlineError, OverloadError } from './errors';
import { Scheduler, type Submission } from './scheduler';

function setUp({ maxQueue = 100, capacity = 1 } = {}) {
  const clock = new FakeClock();
  const dispatcher = new ManualDispatcher(capacity);
  const dropped: string[] = [];
  const scheduler = new Scheduler({
    dispatcher,
    maxQueue,
    clock,
    observer: { dropped: ({ operation, reason }) => dropped.push(`${operation}:${reason}`) },
  });
  /** Submits each character as an item; failures are results. */
  const submit = (items: string, submission: Submission = {}, operation = 'a') =>
    [...items].map((item) =>
      scheduler.submit(operation, item, submission).then(
        ({ result }) => result as unknown,
        (error: Error) => error,
      ),
    );
  return { clock, dispatcher, scheduler, dropped, submit };
}

/** Ends every item until nothing runs. @param busyMs what an item costs */
async function finishAll(dispatcher: ManualDispatcher, busyMs: (item: string) => number = () => 1) {
  for (let i = 0; i < dispatcher.runs.length; i++) {
    const run = dispatcher.run(i);
    await run.finish(undefined, busyMs(String(run.item)));
  }
}

describe('order', () => {
  test('gives items to free workers at once, and the next ones in order as workers become free', async () => {
    const { dispatcher, submit } = setUp({ capacity: 4 });
    const results = submit('abcde');
    // Two places are kept for other accounts.
    expect(dispatcher.log).toBe('a b');
    await finishAll(dispatcher);
    expect(dispatcher.log).toBe('a b c d e');
    expect(await Promise.all(results)).toEqual([...'ABCDE']);
  });

  test('one account leaves half of the places to others', async () => {
    const { dispatcher, submit } = setUp({ capacity: 4 });
    void submit('pqrs', { account: 'crowd' });
    void submit('x', { account: 'other' });
    void submit('y', { account: 'third' });
    void submit('z', { account: 'fourth' });
    expect(dispatcher.log).toBe('p q x y');
    await dispatcher.run(2).finish();
    expect(dispatcher.log).toBe('p q x y z');
  });

  test('a free place takes an item although another account fills the queue', async () => {
    const { dispatcher, submit } = setUp({ capacity: 4, maxQueue: 2 });
    void submit('pqrs', { account: 'crowd' });
    const [refused] = submit('t', { account: 'crowd' });
    expect(await refused).toMatchObject({ reason: 'full' });
    void submit('x', { account: 'other', deadlineMs: 1 });
    expect(dispatcher.log).toBe('p q x');
  });

  test('accounts share the workers by what their items cost', async () => {
    const { dispatcher, submit } = setUp();
    void submit('-', { account: 'nobody' });
    void submit('AAAA', { account: 'crowds' });
    void submit('ssssssss', { account: 'selfies' });
    await finishAll(dispatcher, (item) => (item === 'A' ? 4 : 1));
    // A crowd costs four selfies, so four selfies follow each crowd.
    expect(dispatcher.log).toBe('- A s s s s A s s s s A A');
  });

  test('an account pays for what its items cost until their deadline ended them', async () => {
    const { dispatcher, submit } = setUp();
    void submit('-', { account: 'nobody' });
    void submit('AA', { account: 'crowds' });
    void submit('ssss', { account: 'selfies' });
    for (let i = 0; i < dispatcher.runs.length; i++) {
      const run = dispatcher.run(i);
      await (run.item === 'A' ? run.fail(new DeadlineError(3)) : run.finish());
    }
    expect(dispatcher.log).toBe('- A s s s A s');
  });

  test('an account saves nothing up while none of its work waits', async () => {
    const { dispatcher, submit } = setUp();
    void submit('-', { account: 'busy' });
    void submit('bbbb', { account: 'busy' });
    for (let i = 0; i < 3; i++) await dispatcher.run(i).finish();
    void submit('llll', { account: 'late' });
    await finishAll(dispatcher);
    expect(dispatcher.log).toBe('- b b b l b l l l');
  });

  test('the dispatcher gets the account and the time left', async () => {
    const { clock, dispatcher, submit } = setUp();
    void submit('-');
    void submit('p', { account: 'acc', deadlineMs: 100 });
    clock.advance(40);
    await dispatcher.run(0).finish();
    expect(dispatcher.run(1).ticket).toMatchObject({ account: 'acc', deadlineMs: 60 });
  });
});

describe('priorities', () => {
  test('interactive work goes first, and bulk work leads one item in four', async () => {
    const { dispatcher, submit } = setUp();
    void submit('-');
    void submit('xyz', { priority: 'batch' });
    void submit('12345678', {}, 'b');
    await finishAll(dispatcher);
    expect(dispatcher.log).toBe('- 1 2 3 x 4 5 6 y 7 8 z');
  });

  test('bulk work may fill only half of the queue', async () => {
    const { submit } = setUp({ maxQueue: 4 });
    void submit('-');
    const bulk = submit('xyz', { priority: 'batch' });
    const people = submit('123');
    expect(await bulk[2]).toBeInstanceOf(OverloadError);
    expect(await people[2]).toBeInstanceOf(OverloadError);
    await settle();
    expect(await Promise.race([...bulk.slice(0, 2), ...people.slice(0, 2), 'waiting'])).toBe('waiting');
  });
});

describe('bounds', () => {
  test('refuses items that exceed the queue, with the time that the queue will take', async () => {
    const { clock, dispatcher, scheduler, submit, dropped } = setUp({ maxQueue: 3 });
    void submit('l');
    clock.advance(2000);
    await dispatcher.run(0).finish();
    void submit('-');
    void submit('p', { weight: 2 });
    const [refused] = await Promise.all(submit('q', { weight: 2 }));
    expect(refused).toMatchObject({ name: 'OverloadError', reason: 'full' });
    // One item runs and work for two more waits, 2 s each.
    expect((refused as OverloadError).retryAfterSeconds).toBe(6);
    void submit('r');
    expect(scheduler.queued).toEqual({ a: 3 });
    expect(dropped).toEqual(['a:full']);
  });

  test('reports the wait of the oldest item by operation', async () => {
    const { clock, dispatcher, scheduler, submit } = setUp();
    void submit('p');
    clock.advance(5);
    void submit('q');
    void submit('r', { priority: 'batch' }, 'b');
    clock.advance(30);
    void submit('s', {}, 'b');
    expect(scheduler.oldestWaitMs).toEqual({ a: 30, b: 30 });
    clock.advance(10);
    await dispatcher.run(0).finish();
    expect(dispatcher.log).toBe('p q');
    expect(scheduler.oldestWaitMs).toEqual({ a: 0, b: 40 });
    await dispatcher.run(1).finish();
    // The one that waits longest need not be the next one.
    expect(dispatcher.log).toBe('p q s');
    expect(scheduler.oldestWaitMs).toEqual({ a: 0, b: 40 });
  });

  test('without a queue accepts an item of any weight while a worker is free', async () => {
    const { submit, dispatcher } = setUp({ maxQueue: 0 });
    void submit('p', { weight: 7 });
    const [refused] = submit('q');
    expect(await refused).toBeInstanceOf(OverloadError);
    expect(dispatcher.log).toBe('p');
  });
});

describe('deadlines', () => {
  test('drops an expired item before dispatch and keeps the others', async () => {
    const { clock, dispatcher, submit, dropped } = setUp({ maxQueue: 2 });
    void submit('-');
    const [late] = submit('p', { deadlineMs: 50 });
    const [inTime] = submit('q', { deadlineMs: 500 });
    clock.advance(50);
    const [next] = submit('r');
    expect(await late).toBeInstanceOf(DeadlineError);
    await finishAll(dispatcher);
    expect(dispatcher.log).toBe('- q r');
    expect(await Promise.all([inTime, next])).toEqual(['Q', 'R']);
    expect(dropped).toEqual(['a:expired']);
  });

  test('an item without time left is refused although a worker is free', async () => {
    const { submit, dispatcher } = setUp();
    expect(await submit('p', { deadlineMs: 0 })[0]).toBeInstanceOf(DeadlineError);
    expect(dispatcher.log).toBe('');
  });

  test('refuses items that would be late and accepts others', async () => {
    const { clock, dispatcher, submit, dropped } = setUp();
    void submit('l');
    clock.advance(100);
    await dispatcher.run(0).finish();
    void submit('-p');
    clock.advance(40);
    // 60 ms of the running item, 100 ms of the waiting one, 100 ms of its own.
    const [late] = submit('q', { deadlineMs: 259 });
    const [inTime] = submit('r', { deadlineMs: 260 });
    expect(await late).toMatchObject({ name: 'OverloadError', reason: 'deadline' });
    await finishAll(dispatcher);
    expect(await inTime).toBe('R');
    expect(dropped).toEqual(['a:deadline']);
  });

  test('expects of an account what its items took, and delays it only by its share', async () => {
    const { clock, dispatcher, submit } = setUp();
    void submit('c', { account: 'crowds' });
    clock.advance(1000);
    await dispatcher.run(0).finish();
    void submit('s', { account: 'selfies' });
    clock.advance(10);
    await dispatcher.run(1).finish();
    void submit('-', { account: 'selfies' });
    void submit('cccc', { account: 'crowds' });
    // 10 ms of the running selfie, at most 20 of the crowds ahead, as much as its own and the waiting one, and these.
    void submit('t', { account: 'selfies' });
    const [selfie] = submit('u', { account: 'selfies', deadlineMs: 50 });
    const [crowd] = submit('d', { account: 'crowds', deadlineMs: 3000 });
    expect(await crowd).toMatchObject({ reason: 'deadline' });
    await finishAll(dispatcher);
    expect(await selfie).toBe('U');
  });

  test('learns from items that their deadline ended', async () => {
    const { clock, dispatcher, submit } = setUp();
    void submit('c');
    clock.advance(900);
    await dispatcher.run(0).fail(new DeadlineError());
    void submit('-');
    const [late] = submit('d', { deadlineMs: 1000 });
    expect(await late).toMatchObject({ reason: 'deadline' });
  });

  test('bulk work in the queue does not delay an interactive item', async () => {
    const { clock, dispatcher, submit } = setUp();
    void submit('l');
    clock.advance(100);
    await dispatcher.run(0).finish();
    void submit('-');
    void submit('xyz', { priority: 'batch' });
    const [person] = submit('p', { deadlineMs: 200 });
    const [bulk] = submit('w', { deadlineMs: 500, priority: 'batch' });
    expect(await bulk).toBeInstanceOf(OverloadError);
    await finishAll(dispatcher);
    expect(await person).toBe('P');
  });

  test('refuses nothing while a worker is free, so that the forecast can recover', async () => {
    const { clock, dispatcher, submit } = setUp();
    void submit('l');
    clock.advance(60_000);
    await dispatcher.run(0).finish();
    void submit('p', { deadlineMs: 10 });
    expect(dispatcher.log).toBe('l p');
  });
});

describe('disconnected callers, broken workers and shutdown', () => {
  test('drops the queued item of a disconnected caller', async () => {
    const { dispatcher, submit, scheduler } = setUp();
    const gone = new AbortController();
    const [running] = submit('-', { signal: gone.signal });
    const [left] = submit('p', { signal: gone.signal });
    void submit('q');
    gone.abort();
    expect(await left).toBeInstanceOf(AbandonedError);
    expect(scheduler.queued).toEqual({ a: 1 });
    await dispatcher.run(0).finish();
    expect(await running).toBe('-');
    expect(dispatcher.log).toBe('- q');
    expect(await submit('r', { signal: gone.signal })[0]).toBeInstanceOf(AbandonedError);
  });

  test('informs the worker of a caller that disconnects from a running item, and charges its account', async () => {
    const { dispatcher, submit } = setUp();
    const gone = new AbortController();
    const [left] = submit('p', { account: 'greedy', signal: gone.signal });
    void submit('q', { account: 'greedy' });
    void submit('r', { account: 'other' });
    const { abandoned } = dispatcher.run(0).ticket;
    const flag = () => Atomics.load(new Int32Array(abandoned as SharedArrayBuffer), 0);
    expect(flag()).toBe(0);
    gone.abort();
    expect(flag()).toBe(1);
    await dispatcher.run(0).fail(new AbandonedError(100));
    expect(await left).toBeInstanceOf(AbandonedError);
    // The account has used the device, so the other one is next.
    expect(dispatcher.log).toBe('p r');
  });

  test('a failing item fails alone', async () => {
    const { dispatcher, submit } = setUp();
    const results = submit('-pq');
    await dispatcher.run(0).finish();
    const broken = new Error('worker died');
    await dispatcher.run(1).fail(broken);
    await dispatcher.run(2).finish();
    expect(await Promise.all(results)).toEqual(['-', broken, 'Q']);
  });

  test('draining refuses new items and ends with the last result', async () => {
    const { dispatcher, submit, scheduler } = setUp();
    const results = submit('-p');
    let drained = false;
    const draining = scheduler.drain().then(() => {
      drained = true;
    });
    expect(await submit('q')[0]).toMatchObject({ name: 'OverloadError', reason: 'draining' });
    await dispatcher.run(0).finish();
    expect(drained).toBe(false);
    await dispatcher.run(1).finish();
    await draining;
    expect(await Promise.all(results)).toEqual(['-', 'P']);
    await setUp().scheduler.drain();
  });
});
