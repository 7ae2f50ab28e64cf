/**
 * The rights of operators last as long as their reason: a second factor, and a recent sign-in.
 *
 * Slow: it tries every call for operators in each state of a sign-in.
 */
import { consoleCalls } from '../../src/console/router';
import { signInTimes } from '../../src/services/identity/sign-ins';
import { addCodes } from './add-codes';
import { Authenticator } from './authenticator';
import { consoleOrigin } from './browser';
import { ConsoleGateway, type Person } from './console-gateway';

let aheadMs = 0;
let console: ConsoleGateway;
beforeAll(async () => {
  console = await ConsoleGateway.start(() => Date.now() + aheadMs);
});
afterAll(() => console.stop());
afterEach(() => {
  aheadMs = 0;
});

let count = 0;
const newOperator = () => console.operator(`operator-${++count}@example.com`);
const anyCall = ({ browser }: Person) => browser.refused('GET', '/operator/plans');

async function addPasskey({ browser }: Person): Promise<void> {
  const { ticket, options } = await browser.data('POST', '/profile/passkey-options');
  const passkey = new Authenticator(consoleOrigin).create(options);
  await browser.data('POST', '/profile/passkeys', { ticket, passkey });
}

async function removePasskeys({ browser }: Person): Promise<void> {
  const { passkeys } = await browser.data('GET', '/profile');
  for (const { passkeyId } of passkeys) await browser.data('DELETE', `/profile/passkeys/${passkeyId}`);
}

test('an operator who removes the last passkey is none, also with another passkey, until another operator says so', async () => {
  const operator = await newOperator();
  expect(await anyCall(operator)).toBe('200 undefined');
  await removePasskeys(operator);
  expect(await anyCall(operator)).toBe('404 NOT_FOUND');
  await addPasskey(operator);
  expect(await anyCall(operator)).toBe('404 NOT_FOUND');
  expect((await operator.browser.data('GET', '/profile')).isOperator).toBe(false);

  await console.gateway.services.management.operators.add(operator.email);
  expect(await anyCall(operator)).toBe('200 undefined');
});

test('the grant ends with the last factor, even if no call is made in between', async () => {
  const operator = await newOperator();
  await removePasskeys(operator);
  await addPasskey(operator);
  expect(await anyCall(operator)).toBe('404 NOT_FOUND');
});

test('an operator keeps the rights while one of two factors is left', async () => {
  const operator = await newOperator();
  await addCodes(operator);
  await removePasskeys(operator);
  expect(await anyCall(operator)).toBe('200 undefined');
  await operator.browser.data('DELETE', '/profile/codes');
  expect(await anyCall(operator)).toBe('404 NOT_FOUND');
});

test('another operator who resets the factors of an operator ends the rights', async () => {
  const [operator, lost] = [await newOperator(), await newOperator()];
  await operator.browser.data('POST', '/operator/people/reset-factors', { email: lost.email });
  const listed = await console.gateway.services.management.operators.list();
  expect(listed.map(({ email }) => email)).not.toContain(lost.email);
});

const operatorCalls = consoleCalls.filter(({ access }) => access === 'operator');

test.each(operatorCalls)('$words needs a recent sign-in', async ({ http: [method, path] }) => {
  const operator = await oneOperator();
  aheadMs = signInTimes.recentMs;
  const address = path.replace(/:\w+/g, 'x');
  expect(await operator.browser.refused(method, address)).toBe('403 RECENT_SIGN_IN_NEEDED');
});

let shared: Promise<Person> | undefined;
/** The operator whose sign-in gets old. */
const oneOperator = (): Promise<Person> => {
  shared ??= newOperator();
  return shared;
};
