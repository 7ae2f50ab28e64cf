import { FakeClock } from '../../test/fake-clock';
import { DeadlineError } from '../scheduling/errors';
import { type StagePolicy, Stages } from './stages';

/** A run of a stage that the test ends. Its pixels are text. */
interface Run {
  readonly text: string;
  finish(): Promise<void>;
  fail(error: Error): Promise<void>;
}

const settle = async () => {
  for (let i = 0; i < 4; i++) await new Promise(setImmediate);
};

/** Stages `a` and `b` whose items are single characters; the output of an item is its code. */
function setUp(policy: Partial<StagePolicy> = {}) {
  const clock = new FakeClock();
  const runs: Run[] = [];
  const model = (name: string) => ({
    run: (pixels: Uint8Array) =>
      new Promise<{ out: Float32Array }>((resolve, reject) => {
        runs.push({
          text: `${name}:${Buffer.from(pixels)}`,
          finish: () => {
            resolve({ out: Float32Array.from(pixels) });
            return settle();
          },
          fail: (error) => {
            reject(error);
            return settle();
          },
        });
      }),
  });
  const stages = new Stages(
    { a: model('a'), b: model('b') },
    { maxBatch: 4, sliceMs: Number.POSITIVE_INFINITY, gatherMs: 0, ...policy },
    clock,
  );
  const begin = (account = 'acc', deadlineMs = Number.POSITIVE_INFINITY) => {
    const task = stages.begin({ account, deadlineMs });
    const run = (stage: string, items: string) =>
      task.run(stage, Buffer.from(items), items.length).then(
        ({ out }) => Buffer.from(out as Float32Array).toString(),
        (error: Error) => error,
      );
    return { ...task, run };
  };
  /** Ends runs until none is left. @param itemMs duration of an item */
  const finishAll = async (itemMs = 1) => {
    await settle();
    for (let i = 0; i < runs.length; i++) {
      const run = runs[i] as Run;
      clock.advance(itemMs * (run.text.length - 2));
      await run.finish();
    }
  };
  return { clock, stages, begin, runs, log: () => runs.map(({ text }) => text), finishAll };
}

describe('runs', () => {
  test('hold the items of several tasks, and stragglers join the next one', async () => {
    const { begin, runs, log } = setUp();
    const [first, second, late] = [begin(), begin(), begin()];
    const results = [first.run('a', 'p'), second.run('a', 'qr')];
    await settle();
    results.push(late.run('a', 's'), second.run('b', 'x'));
    await settle();
    expect(log()).toEqual(['a:pqr']);
    await runs[0]?.finish();
    // The older task goes first.
    expect(log()).toEqual(['a:pqr', 'b:x']);
    await runs[1]?.finish();
    await runs[2]?.finish();
    expect(log()).toEqual(['a:pqr', 'b:x', 'a:s']);
    expect(await Promise.all(results)).toEqual(['p', 'qr', 's', 'x']);
  });

  test('are as large as allowed, so that a long call takes several', async () => {
    const { begin, finishAll, log } = setUp({ maxBatch: 4 });
    const [long, short] = [begin(), begin()];
    const results = [long.run('a', 'abcdef'), short.run('a', '123')];
    await finishAll();
    expect(log()).toEqual(['a:abcd', 'a:ef12', 'a:3']);
    expect(await Promise.all(results)).toEqual(['abcdef', '123']);
    expect(long.use.a).toEqual({ ms: 6, items: 6, runs: 1.5 });
    expect(short.use.a).toEqual({ ms: 3, items: 3, runs: 1.5 });
  });

  test('take no longer than a slice once the duration of an item is known', async () => {
    const { begin, finishAll, log } = setUp({ maxBatch: 4, sliceMs: 5 });
    const task = begin();
    void task.run('a', 'abcdefgh');
    await finishAll(2);
    expect(log()).toEqual(['a:abcd', 'a:ef', 'a:gh']);
    void task.run('a', 'i');
    await finishAll(100);
    void task.run('a', 'jk');
    await finishAll();
    expect(log().slice(3)).toEqual(['a:i', 'a:j', 'a:k']);
  });

  test('a failing run fails the calls of its items only', async () => {
    const { begin, runs } = setUp();
    const broken = new Error('session failed');
    const failing = begin().run('a', 'abcdef');
    const fine = begin().run('b', 'x');
    await settle();
    await runs[0]?.fail(broken);
    expect(await failing).toBe(broken);
    await runs[1]?.finish();
    expect(await fine).toBe('x');
  });
});

describe('fairness', () => {
  test('accounts take turns by the time that they use, however much one of them submits', async () => {
    const { begin, runs, log, clock } = setUp({ maxBatch: 2 });
    const crowd = begin('crowds');
    void crowd.run('a', 'abcdefgh');
    await settle();
    void begin('selfies').run('b', 'x');
    clock.advance(10);
    await runs[0]?.finish();
    expect(log()).toEqual(['a:ab', 'b:x']);
    clock.advance(1);
    await runs[1]?.finish();
    void begin('selfies').run('b', 'y');
    clock.advance(10);
    await runs[2]?.finish();
    expect(log()).toEqual(['a:ab', 'b:x', 'a:cd', 'b:y']);
  });

  test('within an account, the older task goes first in every stage', async () => {
    const { begin, finishAll, log } = setUp({ maxBatch: 1 });
    const [older, newer] = [begin(), begin()];
    void newer.run('a', 'xy');
    void older.run('b', 'p');
    await finishAll();
    expect(log()).toEqual(['b:p', 'a:x', 'a:y']);
  });

  test('drops the calls of a task whose deadline has passed', async () => {
    const { begin, clock, runs, log, finishAll } = setUp({ maxBatch: 2 });
    const late = begin('acc', 50).run('a', 'abcd');
    const inTime = begin('acc', 500).run('a', 'xy');
    await settle();
    clock.advance(50);
    await runs[0]?.finish();
    expect(await late).toBeInstanceOf(DeadlineError);
    await finishAll();
    expect(await inTime).toBe('xy');
    expect(log()).toEqual(['a:ab', 'a:xy']);
  });
});

describe('gathering', () => {
  const gather = { maxBatch: 4, gatherMs: 20 };

  test('an incomplete run waits for tasks that were under way, and no longer than allowed', async () => {
    const { begin, log, clock } = setUp(gather);
    const [first, second, third] = [begin(), begin(), begin()];
    void first.run('a', 'p');
    await settle();
    expect(log()).toEqual([]);
    void second.run('a', 'q');
    clock.advance(19);
    await settle();
    expect(log()).toEqual([]);
    clock.advance(1);
    await settle();
    expect(log()).toEqual(['a:pq']);
    third.end();
  });

  test('it starts when the last of them comes, ends or waits elsewhere, whatever begins later', async () => {
    const { begin, log, runs } = setUp(gather);
    const [first, second, third] = [begin(), begin(), begin()];
    void first.run('a', 'p');
    begin();
    void second.run('b', 'x');
    await settle();
    expect(log()).toEqual([]);
    third.end();
    await settle();
    expect(log()).toEqual(['a:p']);
    await runs[0]?.finish();
    // The fourth task had begun when the call of the second one came.
    expect(log()).toEqual(['a:p']);
  });

  test('a full run waits for nobody', async () => {
    const { begin, log } = setUp(gather);
    const task = begin();
    begin();
    void task.run('a', 'abcd');
    await settle();
    expect(log()).toEqual(['a:abcd']);
  });
});

test('a task that ends takes its waiting calls with it', async () => {
  const { begin, runs, log } = setUp({ maxBatch: 1 });
  const task = begin();
  void task.run('a', 'p');
  const waiting = task.run('a', 'q');
  await settle();
  task.end();
  expect(await waiting).toMatchObject({ message: 'The task has ended' });
  await runs[0]?.finish();
  expect(log()).toEqual(['a:p']);
});

test('is idle once the last task has ended', async () => {
  const { stages, begin } = setUp();
  await stages.idle();
  const task = begin();
  let idle = false;
  const waiting = stages.idle().then(() => {
    idle = true;
  });
  await settle();
  expect(idle).toBe(false);
  task.end();
  await waiting;
});
