/**
 * Attacks by strangers and thieves: values that are expensive to read, floods, races, and links that ought to have
 * ended.
 *
 * Slow: it makes hundreds of calls, each of which hashes a password.
 */
import { consoleCalls } from '../../src/console/router';
import { addCodes } from './add-codes';
import { ConsoleGateway, type Person, password } from './console-gateway';

let console: ConsoleGateway;
beforeAll(async () => {
  console = await ConsoleGateway.start();
});
beforeEach(async () => {
  // All tests come from one address.
  const { redis } = console.gateway;
  for (const counter of await redis.keys('presenza:failures:*')) await redis.del(counter);
});
afterAll(() => console.stop());

let count = 0;
const newEmail = () => `abuse-${++count}@example.com`;
const keysIn = (pattern: string) => console.gateway.redis.keys(`presenza:${pattern}`);

test.each([
  ['a number as the handle', { userHandle: 5 }],
  ['a handle of a billion bytes', { userHandle: { length: 1e9 } }],
  ['a signature of a billion bytes', { signature: { length: 1e9 } }],
  ['data that is no text', { clientDataJSON: {} }],
  ['names of transports without end', { transports: Array.from({ length: 100 }, () => 'usb') }],
])('a response of an authenticator with %s is refused unread', async (_title, changes) => {
  const browser = console.browser();
  const { ticket } = await browser.data('POST', '/sign-in/passkey-options');
  const response = { clientDataJSON: 'e30', authenticatorData: '', signature: '', ...changes };
  const passkey = { id: 'x', rawId: 'x', type: 'public-key', response };
  const given = { ticket, passkey };
  expect(await browser.refused('POST', '/sign-in/passkey', given)).toBe('400 INVALID_PARAMETERS');
});

test('an address gets only so many challenges of passkeys, which Redis keeps for minutes', async () => {
  const browser = console.browser();
  const codes = new Set<string>();
  for (let i = 0; i <= 100; i++) codes.add(await browser.refused('POST', '/sign-in/passkey-options'));
  expect([...codes]).toEqual(['200 undefined', '429 TOO_MANY_ATTEMPTS']);
});

test('an address above its limit locks nobody else out, and Redis keeps nothing of its calls', async () => {
  const browser = console.browser();
  const ask = () => browser.refused('POST', '/reset', { email: newEmail() });
  for (let i = 0; i < 30; i++) expect(await ask()).toBe('200 undefined');
  const before = (await keysIn('failures:*')).length;
  for (let i = 0; i < 5; i++) expect(await ask()).toBe('429 TOO_MANY_ATTEMPTS');
  expect(await keysIn('failures:*')).toHaveLength(before);
});

test('strangers write nothing into the audit log, and the holder of a link only so much', async () => {
  const byAnybody = consoleCalls.filter(
    ({ access, changes }) => changes && (access === 'anyone' || access === 'maybe'),
  );
  expect(byAnybody.map(({ id }) => id)).toEqual(['sign-up confirm', 'members join', 'reset confirm']);
  const { audit } = console.gateway.services.management;
  const count = async () => (await audit.list({ limit: 5_000 })).items.length;
  const before = await count();
  const browser = console.browser();
  for (const { http } of byAnybody) {
    const given = { ticket: 'opens nothing', password };
    expect(await browser.refused(http[0], http[1], given)).toBe('410 LINK_INVALID');
  }
  expect(await count()).toBe(before);
  const email = newEmail();
  await browser.data('POST', '/sign-up', { email });
  // A link that works, with the challenge of no passkey.
  const response = { clientDataJSON: 'e30', attestationObject: '' };
  const passkey = { id: 'x', rawId: 'x', type: 'public-key', response };
  const given = { ticket: console.ticket(email), passkeyTicket: 'opens nothing', passkey };
  const codes = new Set<string>();
  for (let i = 0; i <= 100; i++) codes.add(await browser.refused('POST', '/sign-up/confirm', given));
  expect([...codes]).toEqual(['410 LINK_INVALID', '429 TOO_MANY_ATTEMPTS']);
  expect(await count()).toBe(before + 200);
});

test('a person makes only so many changes a minute, and still reads', async () => {
  const { browser, accountId } = await console.person(newEmail());
  const path = `/accounts/${accountId}/keys/unknown`;
  const codes = new Set<string>();
  for (let i = 0; i <= 300; i++) codes.add(await browser.refused('DELETE', path));
  expect([...codes]).toEqual(['404 NOT_FOUND', '429 TOO_MANY_ATTEMPTS']);
  await browser.data('GET', '/profile');
});

test('a person reads only so often, however cheap it is, and still makes changes', async () => {
  const { browser, accountId } = await console.person(newEmail());
  const codes = new Set<string>();
  for (let i = 0; i <= 1_500; i++) codes.add(await browser.refused('GET', '/profile'));
  expect([...codes]).toEqual(['200 undefined', '429 TOO_MANY_ATTEMPTS']);
  await browser.data('POST', `/accounts/${accountId}/keys`, { mode: 'live' });
});

test('a person searches the log of requests only so often, and still reads it', async () => {
  const { browser, accountId } = await console.person(newEmail());
  const path = `/accounts/${accountId}/requests`;
  const codes = new Set<string>();
  for (let i = 0; i < 30; i++) codes.add(await browser.refused('GET', `${path}?requestId=req_${i}`));
  for (let i = 0; i <= 30; i++) codes.add(await browser.refused('GET', `${path}?key=key_${i}`));
  expect([...codes]).toEqual(['200 undefined', '429 TOO_MANY_ATTEMPTS']);
  await browser.data('GET', `${path}?failed=true`);
});

test.each(['usage/verification', 'ledger'])(
  'a person reads the whole ledger only so often: %s',
  async (path) => {
    const { browser, accountId } = await console.person(newEmail());
    const codes = new Set<string>();
    for (let i = 0; i <= 60; i++) codes.add(await browser.refused('GET', `/accounts/${accountId}/${path}`));
    expect([...codes]).toEqual(['200 undefined', '429 TOO_MANY_ATTEMPTS']);
  },
);

test.each(['/sign-up', '/reset', '/join'])(
  '%s estimates only so many passwords for an address',
  async (flow) => {
    const email = newEmail();
    const browser = console.browser();
    const { browser: owner, accountId } = await console.person(flow === '/reset' ? email : newEmail());
    if (flow === '/join')
      await owner.data('POST', `/accounts/${accountId}/members`, { email, role: 'viewer' });
    else await browser.data('POST', flow, { email });
    const path = flow === '/join' ? flow : `${flow}/confirm`;
    const given = { ticket: console.ticket(email), password: 'password1234' };
    const codes = new Set<string>();
    for (let i = 0; i <= 20; i++) codes.add(await browser.refused('POST', path, given));
    expect([...codes]).toEqual(['400 WEAK_PASSWORD', '429 TOO_MANY_ATTEMPTS']);
  },
);

describe('recovery codes', () => {
  let person: Person;
  let codes: readonly string[];
  const enter = async (code: string | undefined) => {
    const browser = console.browser();
    const { secondFactor } = await browser.data('POST', '/sign-in', { email: person.email, password });
    return () => browser.refused('POST', '/sign-in/code', { ticket: secondFactor, code });
  };
  const atOnce = async (...given: (string | undefined)[]) => {
    const attempts = await Promise.all(given.map(enter));
    return (await Promise.all(attempts.map((attempt) => attempt()))).sort();
  };
  beforeAll(async () => {
    person = await console.person(newEmail());
    codes = await addCodes(person);
  });

  test('the same code in two browsers at once signs one of them in', async () => {
    expect(await atOnce(codes[0], codes[0])).toEqual(['200 undefined', '401 CODE_REFUSED']);
  });

  test('a code that was used does not come back when a second code is used', async () => {
    const first = await atOnce(codes[1], codes[2]);
    const again = [await atOnce(codes[1]), await atOnce(codes[2])].flat();
    expect([...first, ...again].filter((outcome) => outcome === '200 undefined')).toHaveLength(2);
  });
});

test('a link for a new password that the old email address got ends with the change of the address', async () => {
  const { browser, email } = await console.person(newEmail());
  const next = newEmail();
  await browser.data('POST', '/reset', { email });
  const reset = console.ticket(email);
  await browser.data('POST', '/profile/email', { email: next });
  await browser.data('POST', '/profile/email/confirm', { ticket: console.ticket(next) });
  expect(await console.browser().refused('POST', '/reset/confirm', { ticket: reset, password })).toBe(
    '410 LINK_INVALID',
  );
});

test('a link for a new password that was asked for during the change of the address does not work either', async () => {
  const { browser, email } = await console.person(newEmail());
  const next = newEmail();
  await browser.data('POST', '/profile/email', { email: next });
  const { limits } = console.services.identity;
  const mayMail = limits.mayMail.bind(limits);
  // The person has been found by the old address.
  jest.spyOn(limits, 'mayMail').mockImplementationOnce(async (...args) => {
    await browser.data('POST', '/profile/email/confirm', { ticket: console.ticket(next) });
    return mayMail(...args);
  });
  await console.browser().data('POST', '/reset', { email });
  const given = { ticket: console.ticket(email), password: `${password} anew` };
  expect(await console.browser().refused('POST', '/reset/confirm', given)).toBe('410 LINK_INVALID');
});

test('the name of an account reaches nobody who is not a member, so that invitations carry no spam', async () => {
  const { browser, accountId } = await console.person(newEmail());
  const name = 'Win now: https://evil.example/win';
  await browser.data('PATCH', `/accounts/${accountId}`, { name });
  const email = newEmail();
  await browser.data('POST', `/accounts/${accountId}/members`, { email, role: 'viewer' });
  expect(console.mailsTo(email)).toHaveLength(1);
  expect(JSON.stringify(console.mailsTo(email))).not.toContain('evil');
});

test.each(['removed', 'made a viewer'])('invitations end when the owner who sent them is %s', async (how) => {
  const owner = await console.person(newEmail());
  const { browser, userId, accountId } = await console.member(owner, newEmail(), 'owner');
  const email = newEmail();
  await browser.data('POST', `/accounts/${accountId}/members`, { email, role: 'owner' });
  const path = `/accounts/${accountId}/members/${userId}`;
  if (how === 'removed') await owner.browser.data('DELETE', path);
  else await owner.browser.data('PATCH', path, { role: 'viewer' });
  const given = { ticket: console.ticket(email), password };
  expect(await console.browser().refused('POST', '/join', given)).toBe('410 LINK_INVALID');
});

test('a password alone neither erases the account of a person with a passkey nor ends other sign-ins', async () => {
  const { email, accountId } = await console.operator(newEmail());
  const thief = console.browser();
  await thief.data('POST', '/sign-in', { email, password });
  const erase = thief.refused('DELETE', `/accounts/${accountId}`, { confirm: 'the name' });
  expect(await erase).toBe('403 SECOND_FACTOR_NEEDED');
  expect(await thief.refused('DELETE', '/profile/sign-ins')).toBe('403 SECOND_FACTOR_NEEDED');
});

test('the audit log has no entry that would delay the response to a new email address by its mail', async () => {
  const { browser, userId } = await console.person(newEmail());
  await browser.data('POST', '/profile/email', { email: newEmail() });
  const { items } = await console.gateway.services.management.audit.list({ limit: 5 });
  const actions = items.filter(({ actor }) => actor === `user:${userId}`);
  expect(actions.map(({ operation }) => operation)).not.toContain('profile ask-email');
});

test.each([
  'audit?after=zz',
  'audit?after=0-0',
  'requests?after=0-0',
  'usage?month=0000-01',
  'ledger?month=1969-12',
])('%s is the fault of the caller, and not of Redis', async (query) => {
  const { browser, accountId } = await console.person(newEmail());
  expect(await browser.refused('GET', `/accounts/${accountId}/${query}`)).toBe('400 INVALID_PARAMETERS');
});

test('an email address has no characters that nobody sees', async () => {
  const given = { email: 'ow\u00adner@example.com' };
  expect(await console.browser().refused('POST', '/sign-up', given)).toBe('400 INVALID_EMAIL');
});
