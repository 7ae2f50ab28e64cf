/** The deletion of accounts and people: nothing of them stays in Redis. */
import { generateSync } from 'otplib';
import { startRedis } from '../../harness/index.mjs';
import { identityVault } from '../../src/services/identity/identity-vault';
import { accountKey } from '../../src/stores/account-key';
import { RedisAccountEraser } from '../../src/stores/accounts/redis-account-eraser';
import { RedisMailbox } from '../../src/stores/identity/redis-mailbox';
import { auditEndsKey, auditHeldKey, auditImageKey } from '../../src/stores/liveness/keys';
import { connectSessionKeys } from '../../src/stores/liveness/session-key-server';
import type { RedisClient } from '../../src/stores/redis';
import { RedisCategoryStore } from '../../src/stores/redis-category-store';
import { BullDeliveryQueue } from '../../src/stores/webhooks/bull-delivery-queue';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { keySecret } from '../services';
import { ConsoleGateway, type Person, password } from './console-gateway';

let console: ConsoleGateway;
let redis: RedisClient;
let now = Date.now();
beforeAll(async () => {
  console = await ConsoleGateway.start(() => now);
  ({ redis } = console.gateway);
});
beforeEach(() => {
  now = Date.now();
});
afterAll(() => console.stop());

const image = 'data:image/jpeg;base64,/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ==';

/** Names and contents of all keys, by name. */
async function everything(): Promise<Map<string, string>> {
  const read: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.get(key),
    hash: (key) => redis.hgetall(key),
    set: (key) => redis.smembers(key),
    zset: (key) => redis.zrange(key, '0', '-1'),
    list: (key) => redis.lrange(key, 0, -1),
    stream: (key) => redis.xrange(key, '-', '+'),
  };
  const names = await redis.keys('*');
  const contents = await Promise.all(
    names.map(async (key) => JSON.stringify(await read[await redis.type(key)]?.(key))),
  );
  return new Map(names.map((name, i) => [name, `${name} ${contents[i]}`]));
}

const naming = (all: Map<string, string>, word: string) =>
  [...all.values()].filter((text) => text.includes(word));

const invitedBy = (accountId: string) => `invited-${accountId}@example.com`.toLowerCase();

/** Uses each part of the service that writes something about an account. */
async function fill({ browser, accountId }: Person): Promise<void> {
  const path = `/accounts/${accountId}`;
  const { apiKey } = await browser.data('POST', `${path}/keys`, { mode: 'live' });
  const api = async (path: string, body: object) => {
    const headers = { 'idempotency-key': `once-${path.slice(1)}` };
    const reply = await console.gateway.api({ path, bearer: apiKey, body, headers });
    expect(reply.status).toBeLessThan(300);
    return reply.body.data;
  };
  await api('/detect', { image });
  const { sessionId } = await api('/liveness', { metadata: { userId: 'person-1' } });
  const { webhookId } = await browser.data('POST', `${path}/webhooks`, { url: 'https://receiver.example/' });
  await browser.data('POST', `${path}/members`, {
    email: invitedBy(accountId),
    role: 'viewer',
  });
  const address = { accountId, sessionId };
  await redis.hset(auditImageKey(address), { image: 'sealed', key: 'sealed', mode: 'live' });
  await redis.zadd(auditEndsKey(accountId), now, sessionId);
  await redis.hset(auditHeldKey(accountId), sessionId, 6);
  const category = { name: 'knife', createdAt: now, model: 'm', embedding: '', examples: 1 };
  await new RedisCategoryStore(redis).addCategory(accountId, category as never, 9);
  const event = { eventId: 'evt_1', sessionId, eventType: 'session.started', timestamp: now } as const;
  const delivery = { ...event, accountId, webhookId, mode: 'live' } as const;
  await new RedisDeliveryLog(redis).begin(accountId, [
    { ...delivery, id: `evt_1-${webhookId}`, state: 'pending', attempts: 0 },
  ]);
  await redis.set(accountKey(accountId, 'a part that is written later'), 'anything');
}

test('an account is erased with everything in it, and its owners get a receipt', async () => {
  const owner = await console.person('owner@example.com');
  const developer = await console.member(owner, 'developer@example.com', 'developer');
  const { accountId, browser } = owner;
  const stranger = await console.person('stranger@example.com');
  await Promise.all([fill(owner), fill(stranger)]);
  const prefix = accountKey(stranger.accountId, '');
  // The state of the rate limit expires within seconds.
  const burst = accountKey(stranger.accountId, 'burst');
  const ofStranger = async () =>
    naming(await everything(), prefix)
      .filter((key) => !key.startsWith(burst))
      .sort();
  const before = await ofStranger();

  const path = `/accounts/${accountId}`;
  const { name } = await browser.data('GET', path);
  expect(await browser.refused('DELETE', path, { confirm: 'another' })).toBe('400 NOT_CONFIRMED');
  expect(await developer.browser.refused('DELETE', path, { confirm: name })).toBe('403 NOT_ALLOWED');
  const { receipt } = await browser.data('DELETE', path, { confirm: name });
  expect(receipt).toEqual({
    number: expect.stringMatching(/^rcpt_\w{16}$/),
    at: new Date(now).toISOString(),
    erased: {
      members: 2,
      keys: 1,
      webhooks: 1,
      categories: 1,
      deliveries: 1,
      sessions: 1,
      auditImages: 1,
      events: 0,
      ledgerEntries: 1,
      auditEntries: expect.any(Number),
    },
  });
  const [mail] = console.mailsTo(owner.email).slice(-1);
  expect(mail?.subject).toMatch(/^Receipt: Account \w{4} was deleted/);
  expect(mail?.text).toContain(receipt.number);
  expect(console.mailsTo(developer.email).at(-1)?.subject).not.toMatch(/^Receipt/);
  expect(await browser.refused('GET', path)).toBe('404 NOT_FOUND');
  expect((await developer.browser.data('GET', '/profile')).accounts).toEqual([]);
  const ticket = console.ticket(invitedBy(accountId));
  expect(await console.browser().refused('POST', '/join', { ticket, password })).toBe('410 LINK_INVALID');

  // A request that was under way.
  await redis.hset(accountKey(accountId, 'usage'), 'late', 1);
  now += 60 * 60_000;
  await redis.del('presenza:{console}:erasures:lease');
  await console.erasure.sweep(60_000);
  expect(naming(await everything(), accountId)).toEqual([]);
  expect(await ofStranger()).toEqual(before);
  const { items } = await console.gateway.services.management.audit.list({ limit: 50 });
  const traces = items.filter(({ operation }) => operation === 'accounts erase');
  expect(traces).toMatchObject([
    { actor: 'console', outcome: 'done', ids: { receipt: receipt.number }, changes: receipt.erased },
  ]);
});

test('an erasure that was cut off is finished by any gateway, which mails the receipt', async () => {
  const { accountId, browser, email } = await console.person('cut-off@example.com');
  await browser.data('POST', `/accounts/${accountId}/keys`, { mode: 'live' });
  const unlink = jest.spyOn(redis, 'unlink').mockRejectedValueOnce(new Error('gone'));
  const given = { confirm: (await browser.data('GET', `/accounts/${accountId}`)).name };
  expect(await browser.refused('DELETE', `/accounts/${accountId}`, given)).toBe('503 SERVICE_UNAVAILABLE');
  unlink.mockRestore();
  expect(console.mailsTo(email).at(-1)?.subject).not.toMatch(/^Receipt/);
  for (const wait of [10, 60]) {
    now += wait * 60_000;
    await redis.del('presenza:{console}:erasures:lease');
    await console.erasure.sweep(60_000);
    expect(console.mailsTo(email).at(-1)?.subject).toMatch(/^Receipt/);
  }
  expect(naming(await everything(), accountId)).toEqual([]);
});

test('a person is erased with the accounts of which they were the only member', async () => {
  const email = 'person@example.com';
  const person = await console.person(email);
  const { browser, accountId, userId } = person;
  await fill(person);
  const shared = await console.person('shared@example.com');
  await shared.browser.data('POST', `/accounts/${shared.accountId}/members`, { email, role: 'owner' });
  await browser.data('POST', '/join', { ticket: console.ticket(email) });
  const invited = { email: 'guest-of-person@example.com', role: 'owner' };
  await browser.data('POST', `/accounts/${shared.accountId}/members`, invited);
  const { ticket, secret } = await browser.data('POST', '/profile/codes');
  const code = generateSync({ secret, epoch: Math.floor(now / 1_000) });
  await browser.data('POST', '/profile/codes/confirm', { ticket, code });
  // Tickets that nobody uses, and a mail that operators could read.
  await console.browser().data('POST', '/reset', { email });
  await console.browser().data('POST', '/sign-in', { email, password });
  await browser.data('POST', '/profile/passkey-options');
  await console.gateway.services.management.operators.add(email);
  const mailbox = new RedisMailbox(redis, identityVault(keySecret), keySecret);
  await mailbox.keep({ to: email, subject: 'A link', text: '', at: now });
  await mailbox.keep({ to: shared.email, subject: 'Another', text: '', at: now });

  const { receipt } = await browser.data('DELETE', '/profile');
  expect(await shared.browser.data('GET', `/accounts/${shared.accountId}/invitations`)).toEqual({
    invitations: [],
  });
  expect(receipt.erased).toMatchObject({ people: 1, keys: 1, sessions: 1 });
  expect(console.mailsTo(email).at(-1)?.text).toContain(receipt.number);
  expect(browser.cookie).toBeUndefined();
  expect(await console.browser().refused('POST', '/sign-in', { email, password })).toBe(
    '401 WRONG_CREDENTIALS',
  );
  now += 60 * 60_000;
  await redis.del('presenza:{console}:erasures:lease');
  await console.erasure.sweep(60_000);
  const all = await everything();
  expect(naming(all, accountId)).toEqual([]);
  // The log of the shared account still has the id, which leads nowhere.
  const log = [...all.keys()].filter((key) => key.startsWith('presenza:audit'));
  for (const key of log) all.delete(key);
  expect(naming(all, userId)).toEqual([]);
  expect(await mailbox.list(9)).toMatchObject([{ to: shared.email }]);
  expect((await shared.browser.data('GET', `/accounts/${shared.accountId}/members`)).members).toHaveLength(1);
});

test('the log of an account that a person left long ago is erased too, also once other accounts have filled the shared one', async () => {
  const { browser, email } = await console.person('left-long-ago@example.com');
  const other = await console.person('other-account@example.com');
  const { audit } = console.gateway.services.management;
  const entry = { actor: 'user:usr_gone', operation: 'keys create', outcome: 'done' } as const;
  await audit.record({ ...entry, accountId: other.accountId, changes: { name: `Key of ${email}` } });
  // The limit on the entries of all accounts does this.
  await redis.xtrim('presenza:audit:accounts', 'MAXLEN', 0);
  await browser.data('DELETE', '/profile');
  const { items } = await audit.list({ limit: 9, accountId: other.accountId });
  expect(items.map(({ changes }) => changes)).toContainEqual({ name: 'Key of (erased)' });
  expect(JSON.stringify(items)).not.toContain(email);
});

test('a person stays who is the last owner of an account with other members', async () => {
  const owner = await console.person('last-owner@example.com');
  await console.member(owner, 'left-alone@example.com', 'developer');
  expect(await owner.browser.refused('DELETE', '/profile')).toBe('409 LAST_OWNER');
  now += 15 * 60_000;
  expect(await owner.browser.refused('DELETE', '/profile')).toBe('403 RECENT_SIGN_IN_NEEDED');
  expect(await owner.browser.refused('DELETE', `/accounts/${owner.accountId}`, { confirm: 'x' })).toBe(
    '403 RECENT_SIGN_IN_NEEDED',
  );
});

test('an owner who has to stay loses nothing when two owners are erased at once', async () => {
  const people = [await console.person('first@example.com'), await console.person('second@example.com')];
  const founder = await console.person('founder@example.com');
  const other = await console.person('other@example.com');
  await console.member(founder, 'stays@example.com', 'developer');
  for (const { browser, email } of people) {
    for (const inviter of [founder, other]) {
      const members = `/accounts/${inviter.accountId}/members`;
      await inviter.browser.data('POST', members, { email, role: 'owner' });
      await browser.data('POST', '/join', { ticket: console.ticket(email) });
    }
  }
  await founder.browser.data('POST', `/accounts/${founder.accountId}/leave`);
  const before = await Promise.all(people.map(async ({ browser }) => browser.data('GET', '/profile')));

  const codes = await Promise.all(people.map(({ browser }) => browser.refused('DELETE', '/profile')));
  expect([...codes].sort()).toEqual(['200 undefined', '409 LAST_OWNER']);
  const left = codes.indexOf('409 LAST_OWNER');
  const { browser, accountId } = people[left] as Person;
  expect(await browser.data('GET', '/profile')).toEqual(before[left]);
  expect(await browser.data('GET', `/accounts/${accountId}`)).toMatchObject({ accountId });
  const { members } = await browser.data('GET', `/accounts/${founder.accountId}/members`);
  expect(members.map(({ role }: { role: string }) => role).sort()).toEqual(['developer', 'owner']);
});

test('the keys of sessions and images in another Redis are erased too, and jobs of webhooks', async () => {
  const keyServer = await startRedis({ durable: true });
  const { redis: keyRedis, keys: sessionKeys } = await connectSessionKeys(keyServer.url, () => {});
  const account = { id: 'acc_elsewhere', createdAt: now };
  const session = accountKey(account.id, `session:ses_${'1'.repeat(24)}`);
  await redis.hset(session, 'status', 'created');
  await redis.hset(`${session}:audit`, 'keyId', 'an-image');
  await sessionKeys.add(`ses_${'1'.repeat(24)}`, 'sealed', 60_000);
  await sessionKeys.add('an-image', 'sealed', 60_000);
  await sessionKeys.add('of another', 'sealed', 60_000);
  await expect(new RedisAccountEraser(redis).erase(account)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  const queue = new BullDeliveryQueue(redis, () => {});
  await queue.ready();
  const event = { eventId: 'evt_2', sessionId: 'ses', eventType: 'session.started', timestamp: now } as const;
  const delivery = { ...event, mode: 'live', accountId: account.id, webhookId: 'wh_2' } as const;
  await queue.add([{ delivery, delayMs: 60_000 }]);
  await redis.set(accountKey(account.id, 'delivery:evt_2-wh_2'), '{}');
  await new RedisAccountEraser(redis, { sessionKeys, queue }).erase(account);
  expect(await keyRedis.hkeys('{presenza:session-keys}')).toEqual(['of another']);
  expect(naming(await everything(), account.id)).toEqual([]);
  keyRedis.disconnect();
  await keyServer.stop();
});
