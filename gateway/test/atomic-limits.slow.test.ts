/**
 * Limits hold when many callers reach them at once: each is checked and used up in one operation of the store.
 *
 * Slow: each limit is reached once, by that many creations.
 */
import limits from '@presenza/contract/limits.json';
import { maxMembers } from '../src/services/identity/members';
import { newRecoveryCodes } from '../src/services/identity/one-time-passwords';
import { hashOf } from '../src/services/identity/secrets';
import { maxSignIns } from '../src/services/identity/sign-ins';
import { personOf, ticketIdOf } from '../src/services/identity/tickets';
import { maxPasskeys, type User } from '../src/services/identity/users';
import { RedisSessionStore } from '../src/stores/liveness/redis-session-store';
import { RedisCategoryStore } from '../src/stores/redis-category-store';
import { Authenticator } from './console/authenticator';
import { consoleOrigin } from './console/browser';
import { ConsoleGateway, type Person, password } from './console/console-gateway';
import { creationOf, newPrincipal, reserveUnit } from './liveness/stored-session';

let console: ConsoleGateway;
let owner: Person;
let user: User;
let count = 0;

beforeAll(async () => {
  console = await ConsoleGateway.start();
});
afterAll(() => console.stop());
beforeEach(async () => {
  owner = await console.person(`owner-${++count}@example.com`);
  user = (await console.services.identity.users.find(owner.userId)) as User;
});

/** Callers differ by address, because an address has limits of its own. */
const clientOf = (i: number) => ({ address: `10.0.0.${i}` });
const strangerOf = (i: number) => ({ name: `address ${i}`, isKnown: false });
/** The owner sends the first invitations, and others the next, because each sends only so many mails. */
const invite = (i: number) => {
  const inviter = i < 25 ? user : { ...user, id: `${user.id}-${Math.floor(i / 25)}` };
  const to = { email: `guest-${count}-${i}@example.com`, role: 'viewer' } as const;
  return console.services.members.invite(owner.accountId, inviter, to);
};
const webhook = { url: 'https://receiver.example', events: ['session.completed'], type: 'async' } as const;

interface Limit {
  readonly what: string;
  /** How many an account or a person may have. */
  readonly most: number;
  /** How many there are before the test. Default: none */
  readonly existing?: number;
  /** Creates one, or uses one up. Rejects or resolves to false if there is no room. */
  create(i: number): Promise<unknown>;
  /** How many there are. */
  exist?(): Promise<number>;
}

const limited: readonly Limit[] = [
  {
    what: 'members and open invitations of an account',
    most: maxMembers,
    existing: 1,
    create: invite,
    exist: async () => 1 + (await console.services.members.invitations(owner.accountId)).length,
  },
  {
    what: 'members of an account',
    most: maxMembers,
    existing: 1,
    create: async (i) => {
      const { members } = console.services.identity;
      return (await members.change(owner.accountId, `usr_${i}`, 'viewer', maxMembers)) === 'changed';
    },
    exist: async () => Object.keys(await console.services.identity.members.membersOf(owner.accountId)).length,
  },
  {
    what: 'API keys of an account',
    most: limits.keys.maxPerAccount,
    create: () => console.services.admin.keys.createKey(owner.accountId, 'live'),
    exist: async () => (await console.services.admin.keys.listKeys(owner.accountId)).length,
  },
  {
    what: 'webhook endpoints of an account',
    most: limits.webhooks.maxEndpointsPerAccount,
    create: () => console.services.admin.webhooks.create(owner.accountId, webhook),
    exist: async () => (await console.services.admin.webhooks.list(owner.accountId)).length,
  },
  {
    what: 'custom categories of an account',
    most: limits.customCategories.maxPerAccount,
    create: async (i) => {
      const category = { name: `c${i}`, prototype: '', examples: 5, createdAt: 1 };
      const store = new RedisCategoryStore(console.gateway.redis);
      const { maxPerAccount } = limits.customCategories;
      return (await store.addCategory(owner.accountId, category, maxPerAccount)) === 'added';
    },
    exist: async () => (await console.services.admin.categories.list(owner.accountId)).length,
  },
  {
    what: 'mails of strangers to one address',
    most: 5,
    create: (i) => console.services.identity.limits.count('resetMail', owner.email, strangerOf(i)),
  },
];

const overTheLimit = 25;
const succeeded = async (calls: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).filter(
    (outcome) => outcome.status === 'fulfilled' && outcome.value !== false,
  ).length;
const atOnce = (most: number, create: (i: number) => Promise<unknown>) =>
  succeeded(Array.from({ length: most + overTheLimit }, (_, i) => create(i)));

test.each(limited)('$what: exactly $most', async ({ most, existing = 0, create, exist }) => {
  expect(existing + (await atOnce(most, create))).toBe(most);
  if (exist) expect(await exist()).toBe(most);
});

test('open sessions of an account: exactly as many as it may have', async () => {
  const { redis } = console.gateway;
  const [principal, store, maxOpen] = [newPrincipal(), new RedisSessionStore(redis), 10];
  const operations: string[] = [];
  for (let i = 0; i < maxOpen + overTheLimit; i++) operations.push(await reserveUnit(redis, principal));
  const create = async (i: number) => {
    const creation = { ...creationOf(principal, String(operations[i])), maxOpen };
    return (await store.create(creation)).outcome === 'created';
  };
  expect(await atOnce(maxOpen, create)).toBe(maxOpen);
});

test('invitations that ended make room, and an accepted one keeps its place', async () => {
  const { members, identity } = console.services;
  expect(await atOnce(maxMembers, invite)).toBe(maxMembers - 1);
  const [withdrawn, revoked] = await members.invitations(owner.accountId);
  await members.withdraw(owner.accountId, withdrawn?.invitationId as string);
  // The erasure of the invited person revokes their tickets in the same way.
  await identity.tickets.revoke(revoked?.email as string);
  const ended = [withdrawn?.email, revoked?.email];
  const guests = Array.from({ length: 25 }, (_, i) => `guest-${count}-${i}@example.com`);
  const guest = guests.find((email) => console.mailsTo(email).length > 0 && !ended.includes(email));
  await console.browser().data('POST', '/join', { ticket: console.ticket(String(guest)), password });
  expect(await atOnce(2, (i) => invite(100 + i))).toBe(2);
  expect(await members.list(owner.accountId)).toHaveLength(2);
  expect(await members.invitations(owner.accountId)).toHaveLength(maxMembers - 2);
});

test('a person who joins while the sender loses the right to invite is no member', async () => {
  const { members } = console.services.identity;
  const invitation = { id: ticketIdOf('any'), inviter: 'usr_gone' };
  expect(await members.change(owner.accountId, 'usr_new', 'viewer', maxMembers, invitation)).toBe(
    'uninvited',
  );
  expect(await members.roleOf(owner.accountId, 'usr_new')).toBeUndefined();
});

test(`sign-ins of a person: exactly ${maxSignIns}`, async () => {
  const { signIns } = console.services.identity;
  const begun = await Promise.all(
    Array.from({ length: maxSignIns + overTheLimit }, () => signIns.begin(user, false)),
  );
  expect(await signIns.list(user)).toHaveLength(maxSignIns);
  expect(await succeeded(begun.map(({ cookie }) => signIns.find(cookie)))).toBe(maxSignIns);
});

test(`passkeys of a person: exactly ${maxPasskeys}`, async () => {
  const { identity, profile } = console.services;
  const add = async () => {
    const { ticket, options } = await profile.passkeyOptions(user);
    const response = new Authenticator(consoleOrigin).create(options);
    // Each addition ends the tickets of the others, so that a caller must try again.
    return profile.addPasskey(user, { ticket, response } as never);
  };
  const addUntilRefused = async (): Promise<unknown> => {
    for (;;) {
      const outcome = await add().catch((error: { code: string }) => error.code);
      if (typeof outcome === 'object') return outcome;
      if (outcome !== 'LINK_INVALID') throw new Error(outcome);
    }
  };
  expect(await atOnce(maxPasskeys, addUntilRefused)).toBe(maxPasskeys);
  expect((await identity.users.find(user.id))?.passkeys).toHaveLength(maxPasskeys);
});

test('a ticket, a recovery code and a rolled key serve one caller', async () => {
  const { identity, signIn, admin } = console.services;
  const { tickets, users } = identity;
  const reset = await tickets.issue('reset', { ...personOf(user), email: user.email }, user.id);
  expect(await atOnce(1, () => tickets.take('reset', reset))).toBe(1);

  const [code = ''] = newRecoveryCodes();
  const oneTimePasswords = { secret: 'A'.repeat(32), lastStep: 0, recoveryCodes: [hashOf(code)] };
  await users.update(user.id, (before) => ({ ...before, oneTimePasswords }));
  const withCode = async (i: number) => {
    const ticket = await tickets.issue('secondFactor', personOf(user), user.id);
    return signIn.withCode({ ticket, code }, clientOf(i));
  };
  expect(await atOnce(1, withCode)).toBe(1);

  const { keyId } = await admin.keys.createKey(owner.accountId, 'live');
  expect(await atOnce(1, () => admin.keys.rollKey(owner.accountId, keyId))).toBe(1);
  const working = (await admin.keys.listKeys(owner.accountId)).filter(({ revokedAt }) => !revokedAt);
  expect(working).toHaveLength(2);
});

test(`secrets of a webhook endpoint: at most ${limits.webhooks.maxSecretsPerEndpoint}`, async () => {
  const { webhooks } = console.services.admin;
  const { endpoint } = await webhooks.create(owner.accountId, webhook);
  const roll = () => webhooks.rollSecret(owner.accountId, endpoint.id, 3_600);
  const { maxSecretsPerEndpoint } = limits.webhooks;
  expect(1 + (await atOnce(maxSecretsPerEndpoint, roll))).toBe(maxSecretsPerEndpoint);
});
