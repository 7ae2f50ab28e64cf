/** The second factor: what needs it, and how it is replaced. */
import { addCodes } from './add-codes';
import { Authenticator } from './authenticator';
import { consoleOrigin } from './browser';
import { ConsoleGateway, type Person, password } from './console-gateway';

let console: ConsoleGateway;
/** How far the console's clock is ahead. */
let ahead = 0;
/** Needs a second factor for the calls of accounts. */
let strict: ConsoleGateway;
beforeAll(async () => {
  [console, strict] = await Promise.all([
    ConsoleGateway.start(() => Date.now() + ahead),
    ConsoleGateway.start(undefined, { config: { CONSOLE_SECOND_FACTOR: 'required' } }),
  ]);
});
afterAll(() => Promise.all([console.stop(), strict.stop()]));

test('a password alone does not change the ways to sign in of a person with a second factor', async () => {
  const person = await console.operator('operator@example.com');
  const { browser, email } = person;
  const thief = console.browser();
  await thief.data('POST', '/sign-in', { email, password });
  const { passkeys } = await thief.data('GET', '/profile');
  const changes = [
    ['POST', '/profile/password', { password: 'a wholly different passphrase 7', currentPassword: password }],
    ['POST', '/profile/email', { email: 'thief@example.com' }],
    ['POST', '/profile/codes', {}],
    ['POST', '/profile/passkey-options', {}],
    ['DELETE', `/profile/passkeys/${passkeys[0].passkeyId}`, {}],
    ['DELETE', '/profile', {}],
  ] as const;
  for (const [method, path, body] of changes) {
    expect([path, await thief.refused(method, path, body)]).toEqual([path, '403 SECOND_FACTOR_NEEDED']);
  }
  await browser.data('POST', '/profile/codes');
});

test('nobody becomes an operator by a password, and a stolen cookie enrolls nothing', async () => {
  const { browser, email } = await console.person('no-factor@example.com');
  const { operators } = console.gateway.services.management;
  await expect(operators.add(email)).rejects.toThrow('Operators need a passkey');
  const codes = await browser.data('POST', '/profile/codes');
  const passkey = await browser.data('POST', '/profile/passkey-options');
  ahead = 15 * 60_000;
  const response = { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'e30' } };
  const steps = [
    ['/profile/codes', {}],
    ['/profile/codes/confirm', { ticket: codes.ticket, code: '000000' }],
    ['/profile/passkey-options', {}],
    ['/profile/passkeys', { ticket: passkey.ticket, passkey: response }],
  ] as const;
  for (const [path, body] of steps) {
    expect([path, await browser.refused('POST', path, body)]).toEqual([path, '403 RECENT_SIGN_IN_NEEDED']);
  }
  ahead = 0;
  await addCodes({ browser });
  expect(await operators.add(email)).toMatchObject({ email });
});

test('the sign-in that adds a second factor has used it, with another cookie', async () => {
  const person = await console.person('adds@example.com');
  const { browser } = person;
  expect(await browser.data('GET', '/profile')).toMatchObject({ isTwoFactor: false });
  const before = console.browser();
  before.cookie = browser.cookie;
  await addCodes(person);
  expect(await browser.data('GET', '/profile')).toMatchObject({ isTwoFactor: true });
  expect(await before.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
});

async function addPasskey({ browser }: Pick<Person, 'browser'>): Promise<void> {
  const { ticket, options } = await browser.data('POST', '/profile/passkey-options');
  const passkey = new Authenticator(consoleOrigin).create(options);
  await browser.data('POST', '/profile/passkeys', { ticket, passkey });
}

test.each([
  ['authenticator app', addCodes],
  ['passkey', addPasskey],
] as const)('a first factor, %s, ends the other sign-ins of the person', async (name, addFirst) => {
  const person = await console.person(`first-${name.replace(' ', '-')}@example.com`);
  const { browser, email, accountId } = person;
  const thief = console.browser();
  await thief.data('POST', '/sign-in', { email, password });
  await addFirst(person);
  expect(await thief.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  const invitation = { email: 'accomplice@example.com', role: 'owner' };
  expect(await thief.refused('POST', `/accounts/${accountId}/members`, invitation)).toBe('401 SIGNED_OUT');
  expect(await browser.data('GET', '/profile')).toMatchObject({ isTwoFactor: true });
  expect((await browser.data('GET', '/profile/sign-ins')).signIns).toHaveLength(1);
});

test.each([
  ['POST', '/members'],
  ['PATCH', '/members/x'],
  ['DELETE', '/members/x'],
  ['POST', '/keys'],
  ['POST', '/keys/x/roll'],
  ['POST', '/webhooks'],
  ['POST', '/webhooks/x/roll-secret'],
])('%s %s of an account needs a recent sign-in', async (method, path) => {
  stale ??= console.person('stale@example.com');
  const { browser, accountId } = await stale;
  ahead = 15 * 60_000;
  const code = await browser.refused(method, `/accounts/${accountId}${path}`, {});
  ahead = 0;
  expect(code).toBe('403 RECENT_SIGN_IN_NEEDED');
});

let stale: Promise<Person> | undefined;

test('a new password by link does not replace the second factor', async () => {
  const person = await console.person('resets@example.com');
  const { email } = person;
  const [recoveryCode] = await addCodes(person);
  const visitor = console.browser();
  await visitor.data('POST', '/reset', { email });
  const next = { email, password: 'a wholly different passphrase 7' };
  await visitor.data('POST', '/reset/confirm', { ticket: console.ticket(email), password: next.password });
  const { secondFactor } = await visitor.data('POST', '/sign-in', next);
  expect(await visitor.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  await visitor.data('POST', '/sign-in/code', { ticket: secondFactor, code: recoveryCode });
  expect(await visitor.data('GET', '/profile')).toMatchObject({ isTwoFactor: true });
});

test('an operator who has verified a person removes a lost second factor, which signs the person out', async () => {
  const person = await console.person('lost@example.com');
  const { browser, email } = person;
  await addCodes(person);
  const { people } = console.gateway.services.management;
  await people.signOut(email);
  expect(await browser.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
  expect(await browser.data('POST', '/sign-in', { email, password })).toHaveProperty('secondFactor');
  await people.resetFactors(email);
  expect(await browser.data('POST', '/sign-in', { email, password })).toHaveProperty('userId');
});

test('a service that requires the second factor opens accounts only after it', async () => {
  const { browser, accountId, email } = await strict.person('strict@example.com');
  expect(await browser.data('GET', '/settings')).toMatchObject({ secondFactor: 'required' });
  const path = `/accounts/${accountId}`;
  expect(await browser.refused('GET', path)).toBe('403 SECOND_FACTOR_NEEDED');
  await addCodes({ browser });
  expect(await browser.data('GET', path)).toMatchObject({ accountId });
  const visitor = strict.browser();
  expect(await visitor.data('POST', '/sign-in', { email, password })).toHaveProperty('secondFactor');
});
