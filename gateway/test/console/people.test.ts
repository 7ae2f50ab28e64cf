/** Sign-up, sign-in and profile over HTTP on a real Redis. */
import { generateSync } from 'otplib';
import { identityVault } from '../../src/services/identity/identity-vault';
import { maxSignIns, signInTimes } from '../../src/services/identity/sign-ins';
import { RedisSignIns } from '../../src/stores/identity/redis-sign-ins';
import { keySecret } from '../services';
import { ConsoleGateway, password } from './console-gateway';

let now: number;
let console: ConsoleGateway;
beforeAll(async () => {
  console = await ConsoleGateway.start(() => now);
});
beforeEach(async () => {
  now = Date.now();
  // All tests come from one address.
  const { redis } = console.gateway;
  for (const counter of await redis.keys('presenza:failures:*')) await redis.del(counter);
});
afterAll(() => console.stop());

let count = 0;
const newEmail = () => `person-${++count}@example.com`;

describe('sign-up', () => {
  test('mails a link that creates a user with an account on the free plan and signs in', async () => {
    const [browser, email] = [console.browser(), newEmail()];
    expect(
      await browser.data('POST', '/sign-up', { email: ` ${email.toUpperCase()} `, plan: 'business' }),
    ).toEqual({
      sent: true,
    });
    const ticket = console.ticket(email);
    expect(await browser.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
    const confirmed = await browser.data('POST', '/sign-up/confirm', { ticket, password });
    const profile = await browser.data('GET', '/profile');
    expect(profile).toMatchObject({
      email,
      hasPassword: true,
      hasOneTimePasswords: false,
      passkeys: [],
      isRecent: true,
      accounts: [{ name: expect.stringMatching(/^Account [2-9A-Z]{4}$/), plan: 'free', role: 'owner' }],
    });
    const [{ accountId, permissions }] = profile.accounts;
    expect(permissions).toContain('membersInvite');
    // The page asks for the plan of the link once the person has confirmed its price.
    expect(confirmed).toMatchObject({ plan: 'business' });
    const account = await browser.data('GET', `/accounts/${accountId}`);
    expect(account).toMatchObject({ plan: 'free' });
    expect(account).not.toHaveProperty('requestedPlan');
    const other = { ticket, password };
    expect(await console.browser().refused('POST', '/sign-up/confirm', other)).toBe('410 LINK_INVALID');
  });

  test('responds alike to a known address, which gets a link to choose a new password', async () => {
    const { email } = await console.person(newEmail());
    const [known, unknown] = [console.browser(), console.browser()];
    expect(await known.data('POST', '/sign-up', { email })).toEqual(
      await unknown.data('POST', '/sign-up', { email: newEmail() }),
    );
    expect(console.mailsTo(email).at(-1)?.subject).toMatch(/^You already have/);
    const another = 'a wholly different passphrase 7';
    await known.data('POST', '/reset/confirm', { ticket: console.ticket(email), password: another });
    await known.data('POST', '/sign-in', { email, password: another });
  });

  test.each(['short', '            ', 'aaaaaaaaaaaaaaaa', 'password12345', 'presenzapresenza'])(
    'refuses the password "%s" and keeps the link',
    async (weak) => {
      const [browser, email] = [console.browser(), newEmail()];
      await browser.data('POST', '/sign-up', { email });
      const ticket = console.ticket(email);
      const confirm = (password: string) => browser.refused('POST', '/sign-up/confirm', { ticket, password });
      expect(await confirm(weak)).toBe('400 WEAK_PASSWORD');
      await browser.data('POST', '/sign-up/confirm', { ticket, password });
    },
  );

  test.each(['nobody', 'a@b@c', 'a b@c', 'a@b\r\nBcc: c@d', '@', `${'a'.repeat(250)}@example.com`])(
    'refuses %p as an email address',
    async (email) => {
      expect(await console.browser().refused('POST', '/sign-up', { email })).toBe('400 INVALID_EMAIL');
    },
  );

  test('sends at most five mails of a kind an hour to an address', async () => {
    const [browser, email] = [console.browser(), newEmail()];
    for (let i = 0; i < 5; i++) await browser.data('POST', '/sign-up', { email });
    const reply = await browser.call('POST', '/sign-up', { email });
    expect([reply.status, reply.body.error.code]).toEqual([429, 'TOO_MANY_ATTEMPTS']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3_000);
    // The page says when, which a person understands better than a number of seconds.
    const waitMs = Date.parse(reply.body.error.resetsAt) - Date.now();
    expect(waitMs).toBeGreaterThan(3_000_000);
    expect(waitMs).toBeLessThanOrEqual(3_600_000);
    expect(console.mailsTo(email)).toHaveLength(5);
  });
});

describe('sign-in', () => {
  test('refuses a wrong password and an unknown address alike', async () => {
    const { email } = await console.person(newEmail());
    const browser = console.browser();
    const refused = (given: object) => browser.call('POST', '/sign-in', given);
    const wrong = await refused({ email, password: 'not the password at all' });
    const unknown = await refused({ email: newEmail(), password });
    expect(wrong.status).toBe(401);
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    expect(browser.cookie).toBeUndefined();
  });

  test('refuses further guesses at one person, from any address', async () => {
    const { email } = await console.person(newEmail());
    const browser = console.browser();
    const guess = () => browser.refused('POST', '/sign-in', { email, password: 'not the password at all' });
    for (let i = 0; i < 10; i++) expect(await guess()).toBe('401 WRONG_CREDENTIALS');
    expect(await guess()).toBe('429 TOO_MANY_ATTEMPTS');
    expect(await browser.refused('POST', '/sign-in', { email, password })).toBe('429 TOO_MANY_ATTEMPTS');
  });

  test('sets a cookie that scripts cannot read, and a sign-out ends it', async () => {
    const { browser, email } = await console.person(newEmail());
    const reply = await console.browser().call('POST', '/sign-in', { email, password });
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^presenza-console=\w{16}\.\w{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^presenza-device=\w{16}\.\w{32}\.\w{32}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const { cookie } = browser;
    await browser.data('POST', '/sign-out');
    expect(browser.cookie).toBeUndefined();
    browser.cookie = cookie;
    expect(await browser.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  });

  test('ends after 12 hours without a call, and after 7 days in any case', async () => {
    const { browser } = await console.person(newEmail());
    const [id] = browser.cookie?.split('=')[1]?.split('.') ?? [];
    const { redis } = console.gateway;
    const left = await redis.pttl(`presenza:{console}:sign-in:${id}`);
    expect(left / signInTimes.idleMs).toBeCloseTo(1, 2);
    now += signInTimes.wholeMs - 1_000;
    await browser.data('GET', '/profile');
    now += 1_000;
    expect(await browser.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  });

  test('replaces the secret every hour, and ends if the one before is used later', async () => {
    const { browser } = await console.person(newEmail());
    const { redis } = console.gateway;
    const old = browser.cookie as string;
    const [id] = old.split('=')[1]?.split('.') ?? [];
    const key = `presenza:{console}:sign-in:${id}`;
    const age = (ms: number) => redis.hset(key, 'rotatedAt', Date.now() - ms);
    await age(signInTimes.rotationMs);
    await browser.data('GET', '/profile');
    const next = browser.cookie as string;
    expect(next).not.toBe(old);
    // A call that was under way.
    browser.cookie = old;
    await browser.data('GET', '/profile');
    await age(signInTimes.graceMs);
    browser.cookie = next;
    await browser.data('GET', '/profile');
    browser.cookie = old;
    expect(await browser.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
    browser.cookie = next;
    expect(await browser.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  });

  test('asks for a code of the app or a recovery code, each of which works once', async () => {
    const { browser, email } = await console.person(newEmail());
    const { ticket, secret, uri } = await browser.data('POST', '/profile/codes');
    expect(uri).toMatch(/^otpauth:\/\/totp\/Presenza:/);
    const codeAt = (ms: number) => generateSync({ secret, epoch: Math.floor(ms / 1_000) });
    const first = codeAt(now);
    const { recoveryCodes } = await browser.data('POST', '/profile/codes/confirm', { ticket, code: first });
    expect(recoveryCodes).toHaveLength(10);

    const visitor = console.browser();
    const begin = async () => (await visitor.data('POST', '/sign-in', { email, password })).secondFactor;
    const enter = async (code: string) => ({ ticket: await begin(), code });
    expect(visitor.cookie).toBeUndefined();
    expect(await visitor.refused('POST', '/sign-in/code', await enter(first))).toBe('401 CODE_REFUSED');
    now += 30_000;
    await visitor.data('POST', '/sign-in/code', await enter(codeAt(now)));
    expect(await visitor.data('GET', '/profile')).toMatchObject({ email, recoveryCodesLeft: 10 });
    const recovered = await enter(recoveryCodes[0]);
    await visitor.data('POST', '/sign-in/code', recovered);
    expect(await visitor.data('GET', '/profile')).toMatchObject({ recoveryCodesLeft: 9 });
    expect(await visitor.refused('POST', '/sign-in/code', recovered)).toBe('410 LINK_INVALID');
    expect(console.mailsTo(email).at(-1)?.text).toMatch(/^An authenticator app was added\./);
  });
});

test('a recovery code works once, and guesses of codes are limited', async () => {
  const { browser, email } = await console.person(newEmail());
  const { ticket, secret } = await browser.data('POST', '/profile/codes');
  const code = generateSync({ secret, epoch: Math.floor(now / 1_000) });
  const { recoveryCodes } = await browser.data('POST', '/profile/codes/confirm', { ticket, code });
  const visitor = console.browser();
  const enter = async (code: string) => {
    const { secondFactor } = await visitor.data('POST', '/sign-in', { email, password });
    return visitor.refused('POST', '/sign-in/code', { ticket: secondFactor, code });
  };
  expect(await enter(recoveryCodes[1])).toBe('200 undefined');
  expect(await enter(recoveryCodes[1])).toBe('401 CODE_REFUSED');
  expect(await enter('000000')).toBe('401 CODE_REFUSED');
  expect(await enter('not a code')).toBe('401 CODE_REFUSED');
  // The browser that signed in has a budget of its own.
  for (let i = 0; i < 2; i++) expect(await enter('another')).toBe('401 CODE_REFUSED');
  expect(await enter(recoveryCodes[2])).toBe('429 TOO_MANY_ATTEMPTS');
});

describe('a new password', () => {
  test('by link ends all sign-ins and other links', async () => {
    const { browser, email } = await console.person(newEmail());
    const visitor = console.browser();
    await visitor.data('POST', '/reset', { email });
    const earlier = console.ticket(email);
    await visitor.data('POST', '/reset', { email });
    const confirm = (ticket: string) => ({ ticket, password: 'a wholly different passphrase 7' });
    await visitor.data('POST', '/reset/confirm', confirm(console.ticket(email)));
    expect(await visitor.refused('POST', '/reset/confirm', confirm(earlier))).toBe('410 LINK_INVALID');
    expect(await browser.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
    expect(await visitor.refused('POST', '/sign-in', { email, password })).toBe('401 WRONG_CREDENTIALS');
  });

  test('is not mailed to unknown addresses, which get the same response', async () => {
    const email = newEmail();
    expect(await console.browser().data('POST', '/reset', { email })).toEqual({ sent: true });
    expect(console.mailsTo(email)).toEqual([]);
  });

  test('in the profile keeps this sign-in and ends the others, and needs a recent one', async () => {
    const { browser, email } = await console.person(newEmail());
    const other = console.browser();
    await other.data('POST', '/sign-in', { email, password });
    expect((await browser.data('GET', '/profile/sign-ins')).signIns).toHaveLength(2);
    const next = { password: 'a wholly different passphrase 7' };
    expect(await browser.refused('POST', '/profile/password', next)).toBe('401 WRONG_CREDENTIALS');
    await browser.data('POST', '/profile/password', { ...next, currentPassword: password });
    await browser.data('GET', '/profile');
    expect(await other.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
    now += signInTimes.recentMs;
    expect(await browser.refused('POST', '/profile/password', { password })).toBe(
      '403 RECENT_SIGN_IN_NEEDED',
    );
  });
});

test('a new email address needs the link that was mailed there, and is announced to the old one', async () => {
  const { browser, email } = await console.person(newEmail());
  const next = newEmail();
  await browser.data('POST', '/profile/email', { email: next });
  const ticket = console.ticket(next);
  const stranger = await console.person(newEmail());
  expect(await stranger.browser.refused('POST', '/profile/email/confirm', { ticket })).toBe(
    '410 LINK_INVALID',
  );
  expect(await browser.data('POST', '/profile/email/confirm', { ticket })).toEqual({ email: next });
  expect(console.mailsTo(email).at(-1)?.subject).toMatch(/was changed$/);
  await console.browser().data('POST', '/sign-in', { email: next, password });
  expect(await console.browser().refused('POST', '/sign-in', { email, password })).toBe(
    '401 WRONG_CREDENTIALS',
  );
});

test('another browser of the person can be signed out', async () => {
  const { browser, email } = await console.person(newEmail());
  const other = console.browser();
  await other.data('POST', '/sign-in', { email, password });
  const { signIns } = await browser.data('GET', '/profile/sign-ins');
  const [{ signInId }] = signIns.filter(({ isThis }: { isThis: boolean }) => !isThis);
  const stranger = await console.person(newEmail());
  await stranger.browser.data('DELETE', `/profile/sign-ins/${signInId}`);
  await other.data('GET', '/profile');
  await browser.data('DELETE', `/profile/sign-ins/${signInId}`);
  expect(await other.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  await other.data('POST', '/sign-in', { email, password });
  await browser.data('DELETE', '/profile/sign-ins');
  expect(await other.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  await other.data('POST', '/sign-in', { email, password });
  now += signInTimes.recentMs - 1_000;
  await browser.data('GET', '/profile');
  now += 1_000;
  expect(await browser.refused('DELETE', '/profile/sign-ins')).toBe('403 RECENT_SIGN_IN_NEEDED');
});

test('a sign-in is listed with its browser, its network and its last use, and without its address', async () => {
  const { browser, email } = await console.person(newEmail());
  const other = console.browser();
  other.userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
  await other.data('POST', '/sign-in', { email, password });
  const { signIns } = await browser.data('GET', '/profile/sign-ins');
  expect(signIns.find(({ isThis }: { isThis: boolean }) => !isThis)).toEqual({
    signInId: expect.any(String),
    startedAt: expect.any(String),
    usedAt: expect.any(String),
    isThis: false,
    browser: 'Firefox',
    system: 'Linux',
    network: '127.0.0.0/24',
  });
});

test('a person who is a member of no account creates one, and two in a month at most', async () => {
  const { browser } = await console.person(newEmail());
  const accountsOf = async () => (await browser.data('GET', '/profile')).accounts;
  const leave = async () => {
    const [{ accountId, name }] = await accountsOf();
    await browser.data('DELETE', `/accounts/${accountId}`, { confirm: name });
  };
  for (let made = 0; made < 2; made++) {
    // Refused calls do not count.
    expect(await browser.refused('POST', '/accounts')).toBe('409 HAS_ACCOUNT');
    await leave();
    const { accountId } = await browser.data('POST', '/accounts');
    expect(await accountsOf()).toMatchObject([{ accountId, plan: 'free', role: 'owner' }]);
    const { entries } = await browser.data('GET', `/accounts/${accountId}/audit?limit=9`);
    expect(entries).toMatchObject([{ operation: 'accounts begin', outcome: 'done' }]);
  }
  await leave();
  expect(await browser.refused('POST', '/accounts')).toBe('429 TOO_MANY_ATTEMPTS');
});

test('another sign-in ends the one that the browser had, and the oldest of more than 20 browsers', async () => {
  const { browser, email } = await console.person(newEmail());
  const { cookie } = browser;
  await browser.data('POST', '/sign-in', { email, password });
  const earlier = console.browser();
  earlier.cookie = cookie;
  expect(await earlier.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  const { redis } = console.gateway;
  const { userId } = await browser.data('GET', '/profile');
  const store = new RedisSignIns(redis, identityVault(keySecret));
  for (let i = 1; i <= maxSignIns; i++) {
    const signIn = { id: `another-${i}`, userId, epoch: 0, startedAt: now + i, isTwoFactor: false };
    await store.add(signIn, 'hash', signInTimes, maxSignIns);
  }
  expect(await store.list(userId)).toHaveLength(maxSignIns);
  expect(await browser.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
});

test('a new service has nobody who could sign in', async () => {
  const fresh = await ConsoleGateway.start();
  for (const name of ['admin', 'root', 'sa']) {
    const given = { email: `${name}@example.com`, password: name };
    expect(await fresh.browser().refused('POST', '/sign-in', given)).toBe('401 WRONG_CREDENTIALS');
  }
  expect(await fresh.gateway.redis.keys('*:users')).toEqual([]);
  await fresh.stop();
});

test('pages of other origins change nothing and read nothing', async () => {
  const { browser, email } = await console.person(newEmail());
  const foreign = console.browser('https://evil.example');
  foreign.cookie = browser.cookie;
  expect(await foreign.refused('POST', '/sign-out')).toBe('403 FOREIGN_ORIGIN');
  expect((await foreign.call('GET', '/profile')).headers.get('access-control-allow-origin')).toBeNull();
  // A machine under development has two names.
  for (const origin of ['http://127.0.0.1:8000', 'http://localhost:8000']) {
    const sameOrigin = console.browser(origin);
    sameOrigin.cookie = browser.cookie;
    const reply = await sameOrigin.call('GET', '/profile');
    expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
    expect(reply.headers.get('access-control-allow-credentials')).toBe('true');
    await sameOrigin.data('POST', '/sign-in', { email, password });
  }
  const elsewhere = console.browser('http://localhost:8001');
  expect(await elsewhere.refused('POST', '/sign-out')).toBe('403 FOREIGN_ORIGIN');
});

test('Redis holds no email address, no password and no secret in the clear', async () => {
  const { browser, email } = await console.person(newEmail());
  await browser.data('POST', '/profile/email', { email: newEmail() });
  const { redis } = console.gateway;
  const keys = (await redis.keys('*console*')).filter((key) => !key.includes('failures'));
  const dumps = await Promise.all(keys.map(async (key) => `${key} ${await redis.dumpBuffer(key)}`));
  const all = dumps.join('\n');
  const secret = browser.cookie?.split('.')[1] as string;
  for (const word of [email, 'example.com', password, secret]) expect(all).not.toContain(word);
});
