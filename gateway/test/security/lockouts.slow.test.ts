/**
 * Nobody can lock somebody else out. For each limiter: strangers use up all that they can, then their victim still gets
 * through, and a guesser is still stopped.
 *
 * Slow: hundreds of passwords are hashed as in production.
 */
import limits from '@presenza/contract/limits.json';
import { generateSync } from 'otplib';
import sharp from 'sharp';
import { identityVault } from '../../src/services/identity/identity-vault';
import { generateKey } from '../../src/services/keys/api-key';
import { Authenticator } from '../../src/services/keys/authenticator';
import { FailedAttempts } from '../../src/services/keys/failed-attempts';
import { KeyCache } from '../../src/services/keys/key-cache';
import { RedisMailbox } from '../../src/stores/identity/redis-mailbox';
import { RedisAttemptStore } from '../../src/stores/redis-attempt-store';
import { RedisChangeFeed } from '../../src/stores/redis-change-feed';
import { ConsoleGateway, password } from '../console/console-gateway';
import { keySecret } from '../services';

const wrong = 'not the password at all';
const another = 'a wholly different passphrase 7';
const day = 24 * 60 * 60_000;

let now = Date.now();
let console: ConsoleGateway;
let feed: RedisChangeFeed;
let authenticator: Authenticator;
let frame: Buffer;
beforeAll(async () => {
  console = await ConsoleGateway.start(() => now, {
    trustProxy: 1,
    keys: { authenticate: (key, address) => authenticator.authenticate(key, address) },
    // Everyone looks straight ahead.
    detect: async () => ({ faces: [face] }) as never,
  });
  const { redis, services } = console.gateway;
  feed = RedisChangeFeed.open(redis, () => {});
  authenticator = new Authenticator(
    new KeyCache({ identify: (hash) => services.keys.identify(hash), feed }),
    new FailedAttempts(new RedisAttemptStore(redis), keySecret),
    keySecret,
  );
  const grey = { width: 640, height: 480, channels: 3, background: '#888' } as const;
  frame = await sharp({ create: grey }).jpeg().toBuffer();
});
beforeEach(() => {
  now = Date.now();
});
afterAll(async () => {
  feed.close();
  await console.stop();
});

const face = {
  boundingBox: { left: 0.3, top: 0.25, width: 0.4, height: 0.5 },
  quality: { brightness: 0.5, sharpness: 0.5 },
  attributes: { pose: { yaw: 0, pitch: 0, roll: 0 } },
};

let count = 0;
const newEmail = () => `lockout-${++count}@example.com`;
/** An address that nobody has called from. */
const newAddress = () => `203.0.${Math.floor(++count / 250)}.${(count % 250) + 1}`;
const browserAt = (address: string) => console.browser(undefined, address);
const stranger = () => browserAt(newAddress());

async function personAt(address: string) {
  const browser = browserAt(address);
  const email = newEmail();
  await browser.data('POST', '/sign-up', { email });
  await browser.data('POST', '/sign-up/confirm', { ticket: console.ticket(email), password });
  const { accounts } = await browser.data('GET', '/profile');
  return { browser, email, address, accountId: accounts[0].accountId as string };
}
type Person = Awaited<ReturnType<typeof personAt>>;

const ok = '200 undefined';
const stopped = '429 TOO_MANY_ATTEMPTS';
const times = async (count: number, act: (i: number) => Promise<unknown>) => {
  for (let i = 0; i < count; i++) await act(i);
};
const signIn = (browser = stranger(), email = '', secret = wrong) =>
  browser.refused('POST', '/sign-in', { email, password: secret });
/** @returns how many mails somebody gets by an act */
async function mailed(email: string, act: () => Promise<unknown>): Promise<number> {
  const before = console.mailsTo(email).length;
  await act();
  return console.mailsTo(email).length - before;
}

/** The same browser, which took its cookies elsewhere. */
function elsewhere({ browser }: Person) {
  browser.address = newAddress();
  return browser;
}

async function codesOf({ browser }: Person): Promise<string> {
  const { ticket, secret } = await browser.data('POST', '/profile/codes');
  const code = generateSync({ secret, epoch: Math.floor(now / 1_000) });
  await browser.data('POST', '/profile/codes/confirm', { ticket, code });
  return secret;
}
async function enterCode(browser: Person['browser'], email: string, code: string) {
  const { secondFactor } = await browser.data('POST', '/sign-in', { email, password });
  return browser.refused('POST', '/sign-in/code', { ticket: secondFactor, code });
}

const callWithKey = async (bearer: string, address: string) => {
  const headers = { 'x-forwarded-for': address };
  return (await console.gateway.api({ path: '/usage', method: 'GET', bearer, headers })).status;
};

/** One capture of a session about a user, from a device and address of its own. */
async function capture(apiKey: string, userId: string, frames: number) {
  const address = newAddress();
  const call = async (path: string, bearer: string, body: object) =>
    console.gateway.api({ path, bearer, body, headers: { 'x-forwarded-for': address } });
  const { body } = await call('/liveness', apiKey, { metadata: { userId } });
  const { sessionId, accessToken } = body.data;
  const session = `/liveness/${sessionId}`;
  await call(`${session}/start`, accessToken, {});
  const begun = await call(`${session}/attempts`, accessToken, {
    consent: true,
    device: { id: `device-of-${address}` },
  });
  if (begun.status !== 200) return begun;
  const { attemptId, nonces } = begun.body.data;
  for (let i = 0; i < frames; i++) {
    const sent = await fetch(`${console.gateway.url}${session}/attempts/${attemptId}/frames`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'content-type': 'image/jpeg',
        'x-frame-nonce': nonces.shift(),
        'x-forwarded-for': address,
      },
      body: new Uint8Array(frame),
    });
    nonces.push(((await sent.json()) as { data: { nonce: string } }).data.nonce);
  }
  return call(`${session}/attempts/${attemptId}/complete`, accessToken, {});
}
/** Enough to be asked for a turn. */
const framesToTurn = 8;

describe('sign-in', () => {
  test('wrong passwords from many addresses stop strangers, and neither a known address nor a known browser', async () => {
    const victim = await personAt(newAddress());
    await times(12, () => signIn(stranger(), victim.email));
    expect(await signIn(stranger(), victim.email, password)).toBe(stopped);
    expect(await signIn(browserAt(victim.address), victim.email, password)).toBe(ok);
    expect(await signIn(elsewhere(victim), victim.email, password)).toBe(ok);
  });

  test('a mailed link makes a new browser at a new address known', async () => {
    const victim = await personAt(newAddress());
    const abroad = stranger();
    await abroad.data('POST', '/reset', { email: victim.email });
    await times(12, () => signIn(stranger(), victim.email));
    await abroad.data('POST', '/reset/confirm', { ticket: console.ticket(victim.email), password: another });
    abroad.address = newAddress();
    expect(await signIn(abroad, victim.email, another)).toBe(ok);
    // The old browser is a stranger since then.
    expect(await signIn(elsewhere(victim), victim.email, another)).toBe(stopped);
  });

  test('a known browser and a known address guess no more than a stranger', async () => {
    const victim = await personAt(newAddress());
    for (const browser of [browserAt(victim.address), elsewhere(victim)]) {
      await times(10, async () => expect(await signIn(browser, victim.email)).toBe('401 WRONG_CREDENTIALS'));
      expect(await signIn(browser, victim.email)).toBe(stopped);
    }
  });

  test('guesses at many people from one address do not stop a known browser there', async () => {
    const victim = await personAt(newAddress());
    await times(51, () => signIn(browserAt(victim.address), newEmail()));
    expect(await signIn(browserAt(victim.address), newEmail())).toBe(stopped);
    expect(await signIn(victim.browser, victim.email, password)).toBe(ok);
  });

  test('the device cookie of one person is worth nothing for another, and cannot be made up', async () => {
    const [victim, thief] = [await personAt(newAddress()), await personAt(newAddress())];
    await times(12, () => signIn(stranger(), victim.email));
    expect(await signIn(elsewhere(thief), victim.email, password)).toBe(stopped);
  });

  test('wrong codes of a thief who has the password do not stop a known browser', async () => {
    const victim = await personAt(newAddress());
    const secret = await codesOf(victim);
    await times(6, () => enterCode(stranger(), victim.email, '000000'));
    expect(await enterCode(stranger(), victim.email, '000000')).toBe(stopped);
    now += 30_000;
    const code = generateSync({ secret, epoch: Math.floor(now / 1_000) });
    expect(await enterCode(elsewhere(victim), victim.email, code)).toBe(ok);
  });

  test('challenges of passkeys from one address do not stop a known browser there, nor a mailed link', async () => {
    const victim = await personAt(newAddress());
    const neighbor = browserAt(victim.address);
    await times(100, () => neighbor.data('POST', '/sign-in/passkey-options'));
    expect(await neighbor.refused('POST', '/sign-in/passkey-options')).toBe(stopped);
    expect(await victim.browser.refused('POST', '/sign-in/passkey-options')).toBe(ok);
    const email = newEmail();
    await stranger().data('POST', '/sign-up', { email });
    const given = { ticket: console.ticket(email) };
    expect(await neighbor.refused('POST', '/sign-up/passkey-options', given)).toBe(ok);
  });
});

describe('the profile', () => {
  test('guesses at sign-in do not stop a change of the password, and guesses at it are stopped', async () => {
    const victim = await personAt(newAddress());
    await times(12, () => signIn(stranger(), victim.email));
    const change = (currentPassword: string) =>
      victim.browser.refused('POST', '/profile/password', { password: another, currentPassword });
    expect(await change(password)).toBe(ok);
    await times(9, () => change(wrong));
    expect(await change(wrong)).toBe(stopped);
  });

  test('wrong codes at sign-in do not stop a new authenticator app, and guesses at it are stopped', async () => {
    const victim = await personAt(newAddress());
    await codesOf(victim);
    await times(6, () => enterCode(stranger(), victim.email, '000000'));
    await codesOf(victim);
    const { ticket } = await victim.browser.data('POST', '/profile/codes');
    const confirm = () =>
      victim.browser.refused('POST', '/profile/codes/confirm', { ticket, code: '000000' });
    await times(4, confirm);
    expect(await confirm()).toBe(stopped);
  });

  test('choices of passwords at one address do not stop a link there, and each link is stopped', async () => {
    const address = newAddress();
    const linkOf = async () => {
      const email = newEmail();
      await stranger().data('POST', '/sign-up', { email });
      return console.ticket(email);
    };
    const choose = (ticket: string, password: string) =>
      browserAt(address).refused('POST', '/sign-up/confirm', { ticket, password });
    const outcomes: string[] = [];
    await times(6, async () => {
      const ticket = await linkOf();
      await times(20, async () => outcomes.push(await choose(ticket, 'short')));
    });
    expect(new Set(outcomes)).toEqual(new Set(['400 WEAK_PASSWORD', stopped]));
    expect(await choose(await linkOf(), password)).toBe(ok);
  });
});

describe('mails', () => {
  const reset = (email: string, browser = stranger()) => browser.data('POST', '/reset', { email });
  const signUp = (email: string, browser = stranger()) => browser.data('POST', '/sign-up', { email });

  test('sign-ups with the address of somebody leave their resets', async () => {
    const { email } = await personAt(newAddress());
    // The first of five was their own.
    expect(await mailed(email, () => times(8, () => signUp(email)))).toBe(4);
    expect(await mailed(email, () => reset(email))).toBe(1);
  });

  test.each([
    ['a reset', reset],
    ['a sign-up', signUp],
  ])('after a flood of mails, a person at a known address still gets %s', async (_what, act) => {
    const { email, address, browser } = await personAt(newAddress());
    expect(await mailed(email, () => times(8, () => act(email)))).toBeLessThanOrEqual(5);
    expect(await mailed(email, () => act(email, browserAt(address)))).toBe(1);
    browser.address = newAddress();
    expect(await mailed(email, () => act(email, browser))).toBe(1);
  });

  test('after a flood of resets, somebody elsewhere has a link that works', async () => {
    const { email } = await personAt(newAddress());
    await times(8, () => reset(email));
    const abroad = stranger();
    await reset(email, abroad);
    const given = { ticket: console.ticket(email), password: another };
    expect(await abroad.refused('POST', '/reset/confirm', given)).toBe(ok);
    expect(await signIn(abroad, email, another)).toBe(ok);
  });

  test('a flood from one address does not stop a known browser there', async () => {
    const { email, address, browser } = await personAt(newAddress());
    // The first of 30 was their own.
    await times(29, () => reset(newEmail(), browserAt(address)));
    expect(await browserAt(address).refused('POST', '/reset', { email: newEmail() })).toBe(stopped);
    expect(await mailed(email, () => reset(email, browser))).toBe(1);
  });

  test.each([
    ['invitations', ({ accountId }: Person) => `/accounts/${accountId}/members`, { role: 'viewer' }],
    ['changes of an address', () => '/profile/email', {}],
  ])('%s by new people to somebody do not stop those of others', async (_what, pathOf, more) => {
    const victim = await personAt(newAddress());
    now += 2 * day;
    await signIn(victim.browser, victim.email, password);
    const email = newEmail();
    const send = (person: Person) => person.browser.refused('POST', pathOf(person), { email, ...more });
    await times(5, async () => expect(await send(await personAt(newAddress()))).toBe(ok));
    const last = await personAt(newAddress());
    expect(await send(last)).toBe(stopped);
    expect(await mailed(email, async () => expect(await send(victim)).toBe(ok))).toBe(1);
    await times(4, () => send(victim));
    expect(await send(victim)).toBe(stopped);
  });
});

describe('the API', () => {
  test('wrong keys from an address are limited, and never a valid key there', async () => {
    const address = newAddress();
    const { apiKey } = await console.gateway.account();
    const statuses: number[] = [];
    await times(40, async () => statuses.push(await callWithKey(generateKey('live'), address)));
    const { limit } = limits.failedAuthentication;
    expect(statuses).toEqual([...Array(limit).fill(401), ...Array(40 - limit).fill(429)]);
    expect(await callWithKey(apiKey, address)).toBe(200);
  });

  test('captures without a frame do not lock a user out, and attempts that ask for a turn do', async () => {
    const { apiKey } = await console.gateway.account();
    const { limit } = limits.liveness.failedAttempts;
    await times(limit + 1, async () => expect((await capture(apiKey, 'victim', 0)).status).toBe(200));
    const outcome = await capture(apiKey, 'victim', framesToTurn);
    expect(outcome.status).toBe(200);
    expect(outcome.body.data).not.toHaveProperty('lockedUntil');
    await times(limit - 1, () => capture(apiKey, 'victim', framesToTurn));
    const refused = await capture(apiKey, 'victim', framesToTurn);
    expect([refused.status, refused.body.error.reason]).toEqual([429, 'livenessAttempts']);
  });
});

describe('the mailbox of a service without a mail server', () => {
  const mail = (to: string, at: number) => ({ to, at, subject: 'A link', text: `mail ${at}` });
  const mailbox = () => new RedisMailbox(console.gateway.redis, identityVault(keySecret), keySecret);
  const textsTo = async (email: string) => (await mailbox().list(200, email)).map(({ text }) => text);

  test('mails to others displace no link, and those to one person are bounded', async () => {
    const [victim, target] = [newEmail(), newEmail()];
    await mailbox().keep(mail(victim, now));
    await times(300, (i) => mailbox().keep(mail(newEmail(), now + i)));
    await times(40, (i) => mailbox().keep(mail(target, now + i)));
    expect(await textsTo(victim)).toEqual([`mail ${now}`]);
    expect(await textsTo(target)).toEqual(Array.from({ length: 30 }, (_, i) => `mail ${now + 39 - i}`));
    expect(await mailbox().state()).toEqual({ count: 331, newestAt: now + 299 });
    expect((await mailbox().list(2)).map(({ at }) => at)).toEqual([now + 299, now + 298]);
  });
});
