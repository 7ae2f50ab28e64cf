/** Requests of a delivery during the rotation of a secret. */

import { Dispatcher } from './dispatcher';
import { placeOf, webhookVault } from './endpoints';
import type { Post, PostResult } from './sender';

const vault = webhookVault('5a'.repeat(32));
const sealed = (byte: number) =>
  vault.seal(`whsec_${Buffer.alloc(32, byte).toString('base64')}`, placeOf('acc_1', 'wh_1'));
const endpoint = {
  id: 'wh_1',
  url: 'https://shop.example/hook',
  events: ['session.failed'],
  createdAt: 0,
  type: 'async' as const,
  secret: sealed(2),
  earlierSecrets: [{ secret: sealed(1), until: 1_000 }],
};

/** Dispatches one event to a receiver with the given results. @returns the requests and the result */
async function deliver(results: readonly PostResult[], at = 0) {
  const posts: Post[] = [];
  const sender = { post: async (post: Post) => results[posts.push(post) - 1] as PostResult };
  const dispatcher = new Dispatcher({ sender, accounts, vault, now: () => at });
  const event = { accountId: 'acc_1', eventId: 'evt_1' };
  const result = await dispatcher.dispatch(event, endpoint, Buffer.from('{}'), { timeoutMs: 5_000 });
  return { posts, result };
}
/** Neither dispatch nor endpoint needs more of an account. */
const accounts = { findAccount: async () => undefined };
const accepted = { status: 200, tookMs: 10 };

test.each([400, 401, 403])(
  'after %i to the old secret, sends a second request signed with the new one',
  async (status) => {
    const { posts, result } = await deliver([{ status, tookMs: 400 }, accepted]);
    expect(posts.map(({ timeoutMs }) => timeoutMs)).toEqual([5_000, 4_600]);
    expect(new Set(posts.map(({ headers }) => headers['X-Presenza-Signature'])).size).toBe(2);
    expect(result).toEqual({ status: 200, tookMs: 410 });
  },
);

test.each<PostResult>([
  accepted,
  { status: 404, tookMs: 1 },
  { status: 410, tookMs: 1 },
  { status: 500, tookMs: 1 },
  { failure: 'connection', tookMs: 1 },
])('sends only one request after %j', async (response) => {
  const { posts, result } = await deliver([response]);
  expect([posts.length, result]).toEqual([1, response]);
});

test('returns the rejection of a receiver that rejects both secrets', async () => {
  const { posts, result } = await deliver([
    { status: 401, tookMs: 1 },
    { status: 401, tookMs: 2 },
  ]);
  expect([posts.length, result]).toEqual([2, { status: 401, tookMs: 3 }]);
});

test('sends no second request after the timeout', async () => {
  const { posts } = await deliver([{ status: 401, tookMs: 5_000 }]);
  expect(posts).toHaveLength(1);
});

test('sends no second request after the grace period', async () => {
  const { posts } = await deliver([{ status: 401, tookMs: 1 }], 1_000);
  expect(posts).toHaveLength(1);
});
