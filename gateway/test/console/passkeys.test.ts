/** Passkeys over HTTP, with an authenticator in software. */
import { Authenticator } from './authenticator';
import { type ConsoleBrowser, consoleOrigin } from './browser';
import { ConsoleGateway } from './console-gateway';

let console: ConsoleGateway;
beforeAll(async () => {
  console = await ConsoleGateway.start();
});
afterAll(() => console.stop());

let count = 0;
const newEmail = () => `passkey-${++count}@example.com`;

async function signInWith(authenticator: Authenticator, browser = console.browser()) {
  const { ticket, options } = await browser.data('POST', '/sign-in/passkey-options');
  return browser.refused('POST', '/sign-in/passkey', { ticket, passkey: authenticator.get(options) });
}

async function addTo(browser: ConsoleBrowser, authenticator: Authenticator) {
  const { ticket, options } = await browser.data('POST', '/profile/passkey-options');
  const given = { ticket, passkey: authenticator.create(options), passkeyName: 'Phone' };
  return browser.refused('POST', '/profile/passkeys', given);
}

test('a person signs up and in with a passkey alone, which cannot be removed', async () => {
  const [browser, email, authenticator] = [console.browser(), newEmail(), new Authenticator(consoleOrigin)];
  await browser.data('POST', '/sign-up', { email });
  const ticket = console.ticket(email);
  const { ticket: passkeyTicket, options } = await browser.data('POST', '/sign-up/passkey-options', {
    ticket,
  });
  const passkey = authenticator.create(options);
  await browser.data('POST', '/sign-up/confirm', { ticket, passkeyTicket, passkey, passkeyName: 'Laptop' });
  const visitor = console.browser();
  expect(await signInWith(authenticator, visitor)).toBe('200 undefined');
  const profile = await visitor.data('GET', '/profile');
  expect(profile).toMatchObject({ email, hasPassword: false, passkeys: [{ name: 'Laptop' }] });
  const path = `/profile/passkeys/${profile.passkeys[0].passkeyId}`;
  expect(await visitor.refused('DELETE', path)).toBe('409 LAST_SIGN_IN');
  expect(await visitor.refused('POST', '/sign-in', { email, password: '' })).toBe('400 INVALID_PARAMETERS');
  const guess = { email, password: 'any password at all' };
  expect(await visitor.refused('POST', '/sign-in', guess)).toBe('401 WRONG_CREDENTIALS');
});

test('a passkey that was removed signs nobody in', async () => {
  const { browser } = await console.person(newEmail());
  const authenticator = new Authenticator(consoleOrigin);
  expect(await addTo(browser, authenticator)).toBe('200 undefined');
  expect(await signInWith(authenticator)).toBe('200 undefined');
  const [{ passkeyId }] = (await browser.data('GET', '/profile')).passkeys;
  await browser.data('DELETE', `/profile/passkeys/${passkeyId}`);
  expect(await signInWith(authenticator)).toBe('401 PASSKEY_REFUSED');
});

test('responses for another page, without verification or sent again are refused', async () => {
  const { browser } = await console.person(newEmail());
  const foreign = new Authenticator('https://evil.example');
  expect(await addTo(browser, foreign)).toBe('401 PASSKEY_REFUSED');
  expect(await addTo(browser, new Authenticator(consoleOrigin, false))).toBe('401 PASSKEY_REFUSED');
  const authenticator = new Authenticator(consoleOrigin);
  await addTo(browser, authenticator);
  const visitor = console.browser();
  const { ticket, options } = await visitor.data('POST', '/sign-in/passkey-options');
  const given = { ticket, passkey: authenticator.get(options) };
  expect(await visitor.refused('POST', '/sign-in/passkey', given)).toBe('200 undefined');
  expect(await visitor.refused('POST', '/sign-in/passkey', given)).toBe('410 LINK_INVALID');
  const another = await visitor.data('POST', '/sign-in/passkey-options');
  const replayed = { ticket: another.ticket, passkey: given.passkey };
  expect(await visitor.refused('POST', '/sign-in/passkey', replayed)).toBe('401 PASSKEY_REFUSED');
});

test('a passkey of one person is not added to another', async () => {
  const [person, other] = [await console.person(newEmail()), await console.person(newEmail())];
  const { ticket, options } = await person.browser.data('POST', '/profile/passkey-options');
  const given = { ticket, passkey: new Authenticator(consoleOrigin).create(options) };
  expect(await other.browser.refused('POST', '/profile/passkeys', given)).toBe('410 LINK_INVALID');
});
