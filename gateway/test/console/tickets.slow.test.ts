/**
 * Every kind of ticket at every call that takes one, from its own person and from another. Only the intended uses work,
 * and all others leave both people as they were.
 *
 * Slow: 260 cells, each with new people, whose passwords are hashed as in production.
 */
import { randomBytes } from 'node:crypto';
import { identityVault } from '../../src/services/identity/identity-vault';
import { linkOf, Tickets } from '../../src/services/identity/tickets';
import { newUserId } from '../../src/services/identity/users';
import { RedisTickets } from '../../src/stores/identity/redis-tickets';
import { RedisUsers } from '../../src/stores/identity/redis-users';
import { keySecret } from '../services';
import { Authenticator } from './authenticator';
import { type ConsoleBrowser, consoleOrigin } from './browser';
import { ConsoleGateway, type Person, password } from './console-gateway';

let console: ConsoleGateway;
let tickets: Tickets;
let users: RedisUsers;
let subject: Person;
let other: Person;
/** Somebody whose password changes. */
let forgetful: Person;

beforeAll(async () => {
  console = await ConsoleGateway.start();
  const { redis } = console.gateway;
  const vault = identityVault(keySecret);
  tickets = new Tickets(new RedisTickets(redis, vault, keySecret));
  users = new RedisUsers(redis, vault, keySecret);
  subject = await console.person('subject@example.com');
  other = await console.person('other@example.com');
  forgetful = await console.person('forgetful@example.com');
});
afterAll(() => console.stop());

/** Limits on guesses would refuse most of the cells. */
beforeEach(async () => {
  const limits = await console.gateway.redis.keys('presenza:failures:*');
  if (limits.length > 0) await console.gateway.redis.del(limits);
});

let count = 0;
const newEmail = () => `ticket-${++count}@example.com`;
const newChallenge = () => randomBytes(32).toString('base64url');

/** A ticket as somebody has it who received it by mail or in a response. */
interface Held {
  readonly secret: string;
  readonly challenge?: string;
  /** Secret of the mailed link that it continues. */
  readonly link?: string;
}

const invite = (email: string) =>
  tickets.issue('invitation', {
    email,
    accountId: other.accountId,
    role: 'viewer',
    inviter: other.userId,
  });

/** The subject's epoch never changes here: no intended use of the subject's tickets sets a password. */
const ofSubject = () => ({ userId: subject.userId, epoch: 0 });

const kinds: Readonly<Record<string, () => Promise<Held>>> = {
  signUp: async () => ({ secret: await tickets.issue('signUp', { email: newEmail() }) }),
  invitation: async () => ({ secret: await invite(newEmail()) }),
  reset: async () => {
    const { userId, email } = forgetful;
    const epoch = (await users.find(userId))?.epoch ?? -1;
    return { secret: await tickets.issue('reset', { userId, epoch, email }) };
  },
  secondFactor: async () => ({ secret: await tickets.issue('secondFactor', ofSubject()) }),
  passkey: async () => {
    const challenge = newChallenge();
    return { secret: await tickets.issue('passkey', { challenge }), challenge };
  },
  newEmail: async () => ({
    secret: await tickets.issueTo('newEmail', ofSubject(), { email: subject.email }),
  }),
  newOneTimePasswords: async () => ({
    secret: await tickets.issueTo('newOneTimePasswords', ofSubject(), {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    }),
  }),
  newPasskey: async () => {
    const challenge = newChallenge();
    return { secret: await tickets.issueTo('newPasskey', ofSubject(), { challenge }), challenge };
  },
  'firstPasskey of a sign-up': async () => firstPasskey(await tickets.issue('signUp', { email: newEmail() })),
  'firstPasskey of an invitation': async () => firstPasskey(await invite(newEmail())),
};

async function firstPasskey(link: string): Promise<Held> {
  const challenge = newChallenge();
  const ticket = { userId: newUserId(), challenge };
  return { secret: await tickets.issueTo('firstPasskey', linkOf(link), ticket), challenge, link };
}

const created = ({ challenge = newChallenge() }: Held) =>
  new Authenticator(consoleOrigin).create({
    challenge,
    user: { id: Buffer.from(subject.userId).toString('base64url') },
  });

const asserted = ({ challenge = newChallenge() }: Held) => {
  const authenticator = new Authenticator(consoleOrigin);
  authenticator.create({ challenge, user: { id: Buffer.from(subject.userId).toString('base64url') } });
  return authenticator.get({ challenge });
};

type Use = (held: Held, browser: ConsoleBrowser, isOwn: boolean) => Promise<string>;

const post =
  (path: string, body: (held: Held) => object): Use =>
  (held, browser) =>
    browser.refused('POST', path, body(held));

const calls: Readonly<Record<string, Use>> = {
  'sign-up passkey-options': post('/sign-up/passkey-options', ({ secret: ticket }) => ({ ticket })),
  'sign-up confirm': post('/sign-up/confirm', ({ secret: ticket }) => ({ ticket, password })),
  // Another person continues a link of their own with the ticket.
  'sign-up confirm, as the ticket of the passkey': async (held, browser, isOwn) => {
    const ticket = (isOwn && held.link) || (await tickets.issue('signUp', { email: newEmail() }));
    const body = { ticket, passkeyTicket: held.secret, passkey: created(held) };
    return browser.refused('POST', '/sign-up/confirm', body);
  },
  'invitations show': post('/join/invitation', ({ secret: ticket }) => ({ ticket })),
  'invitations passkey-options': post('/join/passkey-options', ({ secret: ticket }) => ({ ticket })),
  'members join': post('/join', ({ secret: ticket }) => ({ ticket, password })),
  'members join, as the ticket of the passkey': async (held, browser, isOwn) => {
    const ticket = (isOwn && held.link) || (await invite(newEmail()));
    return browser.refused('POST', '/join', { ticket, passkeyTicket: held.secret, passkey: created(held) });
  },
  'reset confirm': post('/reset/confirm', ({ secret: ticket }) => ({ ticket, password: `${password}!` })),
  'sign-in code': post('/sign-in/code', ({ secret: ticket }) => ({ ticket, code: '123456' })),
  'sign-in passkey': post('/sign-in/passkey', (held) => ({ ticket: held.secret, passkey: asserted(held) })),
  'profile set-email': post('/profile/email/confirm', ({ secret: ticket }) => ({ ticket })),
  'profile add-codes': post('/profile/codes/confirm', ({ secret: ticket }) => ({ ticket, code: '123456' })),
  'profile add-passkey': post('/profile/passkeys', (held) => ({
    ticket: held.secret,
    passkey: created(held),
  })),
};

/**
 * The responses of the intended uses. Some are refused for another reason than the ticket: there is no such code or
 * passkey.
 */
const intended: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  signUp: { 'sign-up passkey-options': '200 undefined', 'sign-up confirm': '200 undefined' },
  invitation: {
    'invitations show': '200 undefined',
    'invitations passkey-options': '200 undefined',
    'members join': '200 undefined',
  },
  reset: { 'reset confirm': '200 undefined' },
  secondFactor: { 'sign-in code': '401 CODE_REFUSED' },
  passkey: { 'sign-in passkey': '401 PASSKEY_REFUSED' },
  newEmail: { 'profile set-email': '200 undefined' },
  newOneTimePasswords: { 'profile add-codes': '401 CODE_REFUSED' },
  newPasskey: { 'profile add-passkey': '200 undefined' },
  'firstPasskey of a sign-up': { 'sign-up confirm, as the ticket of the passkey': '200 undefined' },
  'firstPasskey of an invitation': { 'members join, as the ticket of the passkey': '200 undefined' },
};
/** Anybody with the secret may use these: it was mailed to an address, or made for nobody in particular. */
const forAnyone = new Set(['signUp', 'invitation', 'reset', 'secondFactor', 'passkey']);

const cells = Object.keys(kinds).flatMap((kind) =>
  Object.keys(calls).flatMap((call) => [true, false].map((isOwn) => ({ kind, call, isOwn }))),
);

test.each(cells)('$kind at $call, from its own person: $isOwn', async ({ kind, call, isOwn }) => {
  const before = await Promise.all([users.find(subject.userId), users.find(other.userId)]);
  const held = await (kinds[kind] as () => Promise<Held>)();
  // The calls that sign in need a browser of their own: they would replace the sign-in of the person.
  const isOfProfile = call.startsWith('profile ');
  const browser = isOfProfile ? (isOwn ? subject : other).browser : console.browser();
  const outcome = await (calls[call] as Use)(held, browser, isOwn);

  const expected = intended[kind]?.[call];
  if (expected !== undefined && (isOwn || forAnyone.has(kind))) {
    expect(outcome).toBe(expected);
    return;
  }
  expect(outcome).toBe('410 LINK_INVALID');
  expect(await Promise.all([users.find(subject.userId), users.find(other.userId)])).toEqual(before);
});

test('an invitation counts only while its sender may invite', async () => {
  const { accountId } = other;
  const invitation = { email: newEmail(), accountId, role: 'owner', inviter: subject.userId } as const;
  const ticket = await tickets.issue('invitation', invitation);
  const browser = console.browser();
  for (const path of ['/join/invitation', '/join/passkey-options'])
    expect(await browser.refused('POST', path, { ticket })).toBe('410 LINK_INVALID');
  expect(await browser.refused('POST', '/join', { ticket, password })).toBe('410 LINK_INVALID');
});

test('creation never overwrites a user with the same id', async () => {
  const victim = await users.find(subject.userId);
  const impostor = { id: subject.userId, email: newEmail(), createdAt: 0, epoch: 0, passkeys: [] };
  expect(await users.add(impostor)).toBe(false);
  expect(await users.find(subject.userId)).toEqual(victim);
  expect(await users.findByEmail(impostor.email)).toBeUndefined();
});
