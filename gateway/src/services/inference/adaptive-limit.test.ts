import { ApiError, ClientGone } from '../../errors';
import { AdaptiveLimit } from './adaptive-limit';

const full = new ApiError('SERVICE_UNAVAILABLE', { reason: 'overload', retryAfterSeconds: 3 });

let accounts = 0;

/** An analysis at the tier, in flight until one of these is called. */
interface Held {
  finish(): void;
  fail(error: Error): void;
}

/** Starts analyses, each of its own account or all of one. @returns those that the limit admits */
function enter(limit: AdaptiveLimit, count: number, account?: string): Held[] {
  const held: Held[] = [];
  for (let i = 0; i < count; i++) {
    const running = limit.run(
      account ?? `acc_${++accounts}`,
      () => new Promise<void>((resolve, reject) => held.push({ finish: resolve, fail: reject })),
    );
    running.catch(() => {});
  }
  return held;
}

/** Lets the limit see what has settled. */
const settled = () => new Promise(setImmediate);

async function fail(held: readonly (Held | undefined)[], error: Error = full) {
  for (const request of held) request?.fail(error);
  await settled();
}

async function finish(held: readonly (Held | undefined)[]) {
  for (const request of held) request?.finish();
  await settled();
}

test('admits everything until the tier refuses one', () => {
  const limit = new AdaptiveLimit();
  expect(enter(limit, 5_000)).toHaveLength(5_000);
  expect(limit.value).toBe(Number.POSITIVE_INFINITY);
});

test('learns from a crowd of which the tier takes 200 how many it takes', async () => {
  const limit = new AdaptiveLimit();
  const crowd = enter(limit, 600);
  await fail(crowd.slice(200));
  expect(limit.value).toBeGreaterThan(200);
  expect(limit.value).toBeLessThan(310);
  expect(enter(limit, 200)).toHaveLength(Math.floor(limit.value) - 200);
  expect(() => limit.check('acc_1')).toThrow(expect.objectContaining({ retryAfterSeconds: 3 }));
});

test('an analysis that ends admits another, and eight processed ones admit one more', async () => {
  const limit = new AdaptiveLimit();
  const crowd = enter(limit, 100);
  await fail(crowd.slice(0, 1));
  const { value } = limit;
  crowd.push(...enter(limit, 200));
  expect(crowd).toHaveLength(1 + value);
  await finish(crowd.slice(1, 2));
  expect(enter(limit, 9)).toHaveLength(1);
  await finish(crowd.slice(2, 9));
  expect(limit.value).toBe(value + 1);
  expect(enter(limit, 20)).toHaveLength(8);
});

test('decreases once a round', async () => {
  const limit = new AdaptiveLimit();
  const crowd = enter(limit, 200);
  await fail(crowd.slice(0, 1));
  const { value } = limit;
  await fail(crowd.slice(1, 9));
  expect(limit.value).toBe(value);
  await fail(enter(limit, 1));
  expect(limit.value).toBeCloseTo(0.9 * value);
});

test('counts refused images as processed, and learns nothing from lost clients and connections', async () => {
  const limit = new AdaptiveLimit();
  const held = enter(limit, 40);
  await fail(held.slice(0, 1));
  const { value } = limit;
  await fail(held.slice(1, 2), new ApiError('NO_FACE_DETECTED'));
  expect(limit.value).toBeGreaterThan(value);
  const after = limit.value;
  await fail(held.slice(2, 3), new ClientGone());
  await fail(held.slice(3, 4), new ApiError('SERVICE_UNAVAILABLE', { reason: 'inference' }));
  await fail(held.slice(4, 5), new ApiError('DEADLINE_EXCEEDED'));
  expect(limit.value).toBe(after);
  // All five have ended.
  expect(enter(limit, 100)).toHaveLength(Math.floor(limit.value) - 35);
});

test('does not grow while the limit is not reached', async () => {
  const limit = new AdaptiveLimit();
  const held = enter(limit, 101);
  await fail(held.slice(0, 1));
  await finish(held.slice(1, 60));
  const { value } = limit;
  await finish(held.slice(60));
  expect(limit.value).toBe(value);
});

test('always admits a few, because one pod that shuts down is not a full tier', async () => {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 500; i++) await fail(enter(limit, 1));
  expect(limit.value).toBe(16);
  expect(enter(limit, 100)).toHaveLength(16);
});

test('refuses next to nothing because of one full pod among many', async () => {
  const limit = new AdaptiveLimit();
  const held = enter(limit, 400);
  // One in a hundred reaches the full pod.
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const [request] = held.splice(0, 1);
    if (i % 100 === 0) request?.fail(full);
    else request?.finish();
    await Promise.resolve();
    if (i % 50 === 0) await settled();
    // Load varies by a tenth.
    const target = 400 + Math.round(40 * Math.sin(i / 500));
    while (held.length < target) {
      const [next] = enter(limit, 1);
      if (!next) {
        refused++;
        break;
      }
      held.push(next);
    }
  }
  // The pod itself refuses 200.
  expect(refused).toBeLessThan(50);
});

describe('accounts', () => {
  const learned = async () => {
    const limit = new AdaptiveLimit();
    const crowd = enter(limit, 100);
    await fail(crowd.slice(0, 1));
    await finish(crowd.slice(1));
    return limit;
  };

  test('lets a single account hold most of the limit and leaves room for others', async () => {
    const limit = await learned();
    const greedy = enter(limit, 1_000, 'greedy');
    expect(greedy.length / limit.value).toBeCloseTo(0.8, 1);
    expect(enter(limit, 10, 'small')).toHaveLength(10);
    for (let i = 0; i < 5; i++) expect(enter(limit, 1)).toHaveLength(1);
    expect(() => limit.check('greedy')).toThrow(ApiError);
  });

  test('gives two greedy accounts equal parts', async () => {
    const limit = await learned();
    const held = { first: enter(limit, 1_000, 'first'), second: [] as Held[] };
    for (let i = 0; i < 500; i++) {
      const longest = held.first.length > held.second.length ? held.first : held.second;
      await finish(longest.splice(0, 1));
      for (const name of ['first', 'second'] as const) held[name].push(...enter(limit, 1, name));
    }
    expect(Math.abs(held.first.length - held.second.length)).toBeLessThan(5);
    expect((held.first.length + held.second.length) / limit.value).toBeGreaterThan(0.8);
  });

  test('forgets accounts without analyses in flight', async () => {
    const limit = await learned();
    await finish(enter(limit, 20, 'greedy'));
    expect((limit as unknown as { held: Map<string, number> }).held.size).toBe(0);
  });
});

test.each([1, 4])(
  'two gateways get about equal parts of one tier when one is %i times as busy',
  async (busy) => {
    const capacity = 100;
    const gateway = () => ({ limit: new AdaptiveLimit(), held: [] as Held[] });
    const [first, second] = [gateway(), gateway()];
    const total = () => first.held.length + second.held.length;
    /** Sends one analysis, if the limit admits it; the tier takes it while it has capacity. */
    const offer = ({ limit, held }: typeof first) => {
      const [request] = enter(limit, 1);
      if (!request) return;
      if (total() < capacity) held.push(request);
      else request.fail(full);
    };
    // The first is alone and fills the tier.
    for (let i = 0; i < capacity; i++) offer(first);
    let turn = 0;
    for (let i = 0; i < 4_000; i++) {
      // Any analysis is equally likely to be the oldest.
      turn = (turn + 7) % total();
      const { held } = turn < first.held.length ? first : second;
      held.shift()?.finish();
      const arriving = Array.from({ length: 2 * busy }, () => first).concat(second, second);
      // The order of arrival rotates.
      for (let more = 0; more < arriving.length; more++)
        offer(arriving[(more + i) % arriving.length] ?? first);
      await settled();
    }
    expect(total()).toBeGreaterThan(0.9 * capacity);
    expect(first.held.length / total()).toBeGreaterThan(0.3);
    expect(first.held.length / total()).toBeLessThan(0.7);
  },
);
