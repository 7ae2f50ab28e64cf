import { AppError, ClientGone } from '../../errors';
import { AdaptiveLimit } from './adaptive-limit';

const full = new AppError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 3 });

let comers = 0;

/** An analysis at the tier, until one of these is called. */
interface Held {
  answer(): void;
  fail(error: Error): void;
}

/** As many as are let in of those that come, each from an account of its own or all from one. */
function enter(limit: AdaptiveLimit, count: number, account?: string): Held[] {
  const held: Held[] = [];
  for (let i = 0; i < count; i++) {
    const running = limit.run(
      account ?? `acc_${++comers}`,
      () => new Promise<void>((resolve, reject) => held.push({ answer: resolve, fail: reject })),
    );
    running.catch(() => {});
  }
  return held;
}

/** What was settled has been told to the limit. */
const settled = () => new Promise(setImmediate);

async function fail(held: readonly (Held | undefined)[], error: Error = full) {
  for (const one of held) one?.fail(error);
  await settled();
}

async function answer(held: readonly (Held | undefined)[]) {
  for (const one of held) one?.answer();
  await settled();
}

test('everything is let in until the tier refuses one', () => {
  const limit = new AdaptiveLimit();
  expect(enter(limit, 5_000)).toHaveLength(5_000);
  expect(limit.value).toBe(Number.POSITIVE_INFINITY);
});

test('a crowd of which the tier takes 200 teaches about how many that are', async () => {
  const limit = new AdaptiveLimit();
  const crowd = enter(limit, 600);
  await fail(crowd.slice(200));
  expect(limit.value).toBeGreaterThan(200);
  expect(limit.value).toBeLessThan(310);
  expect(enter(limit, 200)).toHaveLength(Math.floor(limit.value) - 200);
  expect(() => limit.check('acc_1')).toThrow(expect.objectContaining({ retryAfterSeconds: 3 }));
});

test('one that ends makes room for one, and eight that were worked on for one more', async () => {
  const limit = new AdaptiveLimit();
  const crowd = enter(limit, 100);
  await fail(crowd.slice(0, 1));
  const { value } = limit;
  crowd.push(...enter(limit, 200));
  expect(crowd).toHaveLength(1 + value);
  await answer(crowd.slice(1, 2));
  expect(enter(limit, 9)).toHaveLength(1);
  await answer(crowd.slice(2, 9));
  expect(limit.value).toBe(value + 1);
  expect(enter(limit, 20)).toHaveLength(8);
});

test('a round decreases once', async () => {
  const limit = new AdaptiveLimit();
  const crowd = enter(limit, 200);
  await fail(crowd.slice(0, 1));
  const { value } = limit;
  await fail(crowd.slice(1, 9));
  expect(limit.value).toBe(value);
  await fail(enter(limit, 1));
  expect(limit.value).toBeCloseTo(0.9 * value);
});

test('pictures that the tier would not take are work that it did; who left or lost the tier teaches nothing', async () => {
  const limit = new AdaptiveLimit();
  const held = enter(limit, 40);
  await fail(held.slice(0, 1));
  const { value } = limit;
  await fail(held.slice(1, 2), new AppError('NO_FACE_DETECTED'));
  expect(limit.value).toBeGreaterThan(value);
  const after = limit.value;
  await fail(held.slice(2, 3), new ClientGone());
  await fail(held.slice(3, 4), new AppError('SERVICE_UNAVAILABLE', { reason: 'inference' }));
  await fail(held.slice(4, 5), new AppError('DEADLINE_EXCEEDED'));
  expect(limit.value).toBe(after);
  // All of them have left.
  expect(enter(limit, 100)).toHaveLength(Math.floor(limit.value) - 35);
});

test('a limit that binds nobody does not grow', async () => {
  const limit = new AdaptiveLimit();
  const held = enter(limit, 101);
  await fail(held.slice(0, 1));
  await answer(held.slice(1, 60));
  const { value } = limit;
  await answer(held.slice(60));
  expect(limit.value).toBe(value);
});

test('few are let in, whatever the tier says: one pod that ends is no full tier', async () => {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 500; i++) await fail(enter(limit, 1));
  expect(limit.value).toBe(16);
  expect(enter(limit, 100)).toHaveLength(16);
});

test('one full pod among many keeps nobody out', async () => {
  const limit = new AdaptiveLimit();
  const held = enter(limit, 400);
  // One in a hundred finds it.
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const [one] = held.splice(0, 1);
    if (i % 100 === 0) one?.fail(full);
    else one?.answer();
    await Promise.resolve();
    if (i % 50 === 0) await settled();
    // By chance there are up to a tenth more than usual.
    const wanted = 400 + Math.round(40 * Math.sin(i / 500));
    while (held.length < wanted) {
      const [next] = enter(limit, 1);
      if (!next) {
        refused++;
        break;
      }
      held.push(next);
    }
  }
  // It refuses 200 itself.
  expect(refused).toBeLessThan(50);
});

describe('accounts', () => {
  const learned = async () => {
    const limit = new AdaptiveLimit();
    const crowd = enter(limit, 100);
    await fail(crowd.slice(0, 1));
    await answer(crowd.slice(1));
    return limit;
  };

  test('one that is alone holds most of what the tier takes, and leaves room for those that come', async () => {
    const limit = await learned();
    const greedy = enter(limit, 1_000, 'greedy');
    expect(greedy.length / limit.value).toBeCloseTo(0.8, 1);
    expect(enter(limit, 10, 'small')).toHaveLength(10);
    for (let i = 0; i < 5; i++) expect(enter(limit, 1)).toHaveLength(1);
    expect(() => limit.check('greedy')).toThrow(AppError);
  });

  test('two that want everything come to the same', async () => {
    const limit = await learned();
    const held = { first: enter(limit, 1_000, 'first'), second: [] as Held[] };
    for (let i = 0; i < 500; i++) {
      const longest = held.first.length > held.second.length ? held.first : held.second;
      await answer(longest.splice(0, 1));
      for (const name of ['first', 'second'] as const) held[name].push(...enter(limit, 1, name));
    }
    expect(Math.abs(held.first.length - held.second.length)).toBeLessThan(5);
    expect((held.first.length + held.second.length) / limit.value).toBeGreaterThan(0.8);
  });

  test('those that have gone are forgotten', async () => {
    const limit = await learned();
    await answer(enter(limit, 20, 'greedy'));
    expect((limit as unknown as { held: Map<string, number> }).held.size).toBe(0);
  });
});

test.each([1, 4])(
  'two gateways before one tier come to about equal parts of it, one %i times as busy',
  async (busy) => {
    const room = 400;
    const gateway = () => ({ limit: new AdaptiveLimit(), held: [] as Held[] });
    const [first, second] = [gateway(), gateway()];
    const total = () => first.held.length + second.held.length;
    /** One more comes, where it is let in; the tier takes it where there is room. */
    const offer = ({ limit, held }: typeof first) => {
      const [one] = enter(limit, 1);
      if (!one) return;
      if (total() < room) held.push(one);
      else one.fail(full);
    };
    // It was there alone and has everything.
    for (let i = 0; i < room; i++) offer(first);
    let turn = 0;
    for (let i = 0; i < 30_000; i++) {
      // Of those that wait each is as likely as any other to be the oldest.
      turn = (turn + 7) % total();
      const { held } = turn < first.held.length ? first : second;
      held.shift()?.answer();
      const coming = Array.from({ length: 2 * busy }, () => first).concat(second, second);
      // Whose comes first changes from turn to turn.
      for (let more = 0; more < coming.length; more++) offer(coming[(more + i) % coming.length] ?? first);
      await settled();
    }
    expect(total()).toBeGreaterThan(0.9 * room);
    expect(first.held.length / total()).toBeGreaterThan(0.3);
    expect(first.held.length / total()).toBeLessThan(0.7);
  },
);
