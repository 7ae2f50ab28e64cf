/** Every call of the console by everybody: nobody, a stranger with an account of their own, and a member of each role. */
import { registry } from '../../src/admin/registry';
import type { Call } from '../../src/console/call';
import { consoleCalls } from '../../src/console/router';
import { roles } from '../../src/services/identity/roles';
import { ConsoleGateway, type Person } from './console-gateway';

let console: ConsoleGateway;
let owner: Person;
let stranger: Person;
const people = {} as Record<(typeof roles)[number], Person>;

beforeAll(async () => {
  console = await ConsoleGateway.start();
  owner = await console.person('owner@example.com');
  stranger = await console.person('stranger@example.com');
  people.owner = await console.member(owner, 'second-owner@example.com', 'owner');
  for (const role of ['developer', 'billing', 'viewer'] as const) {
    people[role] = await console.member(owner, `${role}@example.com`, role);
  }
});
afterAll(() => console.stop());

const named = consoleCalls.map((one) => [one.words, one] as const);
const ofAccounts = named.filter(([, { access }]) => typeof access !== 'string');

/** Calls with a path of the owner's account. The role decides before the input is read. */
async function codeFor(person: Pick<Person, 'browser'>, { http: [method, path] }: Call): Promise<string> {
  const filled = path.replace(':account', owner.accountId).replace(/:\w+/g, 'unknown');
  const { status, body } = await person.browser.call(method, filled, method === 'GET' ? undefined : {});
  return `${status} ${body?.error?.code ?? 'done'}`;
}

test.each(named.filter(([, { access }]) => access !== 'anyone' && access !== 'maybe'))(
  '%s is refused without a sign-in',
  async (_words, one) => {
    expect(await codeFor({ browser: console.browser() }, one)).toBe('401 SIGNED_OUT');
  },
);

test.each(ofAccounts)(
  '%s is refused for an account of somebody else, as if it did not exist',
  async (_words, one) => {
    expect(await codeFor(stranger, one)).toBe('404 NOT_FOUND');
  },
);

const denials = ofAccounts.flatMap(([words, one]) =>
  roles.filter((role) => !one.access.includes(role)).map((role) => [words, role, one] as const),
);
test.each(denials)('%s is refused for the role %s', async (_words, role, one) => {
  expect(await codeFor(people[role], one)).toBe('403 NOT_ALLOWED');
});

const reading = ofAccounts.filter(
  ([, { http }]) => http[0] === 'GET' && !/:\w+\//.test(http[1].replace(':account', '')),
);
test.each(
  reading.flatMap(([words, one]) =>
    roles.filter((role) => one.access.includes(role)).map((role) => [words, role, one] as const),
  ),
)('%s is allowed for the role %s', async (_words, role, one) => {
  expect(await codeFor(people[role], one)).not.toMatch(/^40[13] /);
});

test('no other operation of operators is a call of the console', () => {
  const granted = new Set(consoleCalls.map(({ words }) => words));
  const withheld = registry.filter(({ words }) => !granted.has(words)).map(({ words }) => words);
  expect(withheld).toEqual([
    ...['accounts create', 'accounts list', 'accounts update', 'plans list'],
    ...['webhooks dead-letters', 'categories create', 'categories list', 'categories delete'],
    ...['sessions explain', 'sessions audit-image', 'usage trim', 'audit list', 'mails count'],
    'mails list',
  ]);
});

test('a path with the id of another account does not reach it by the body', async () => {
  const { browser, accountId } = stranger;
  const body = { account: owner.accountId, name: 'mine' };
  expect(await browser.refused('POST', `/accounts/${accountId}/keys`, body)).toBe('400 INVALID_PARAMETERS');
});

test('a key that a member makes works, and the audit log names the member', async () => {
  const { browser, accountId, userId } = people.developer;
  const { apiKey } = await browser.data('POST', `/accounts/${accountId}/keys`, { name: 'mine' });
  expect((await console.gateway.api({ method: 'GET', path: '/usage', bearer: apiKey })).status).toBe(200);
  const { items } = await console.gateway.services.management.audit.list({ limit: 1, accountId });
  expect(items).toMatchObject([{ actor: `user:${userId}`, operation: 'keys create', outcome: 'done' }]);
});

test('an account keeps an owner', async () => {
  const { browser, accountId, userId } = stranger;
  expect(await browser.refused('POST', `/accounts/${accountId}/leave`)).toBe('409 LAST_OWNER');
  const path = `/accounts/${accountId}/members/${userId}`;
  expect(await browser.refused('PATCH', path, { role: 'viewer' })).toBe('409 LAST_OWNER');
  expect(await browser.refused('DELETE', path)).toBe('409 LAST_OWNER');
});

test('a removed member sees nothing of the account anymore', async () => {
  const { browser, userId, accountId } = await console.member(owner, 'removed@example.com', 'developer');
  await owner.browser.data('DELETE', `/accounts/${accountId}/members/${userId}`);
  expect(await browser.refused('GET', `/accounts/${accountId}/keys`)).toBe('404 NOT_FOUND');
  expect((await browser.data('GET', '/profile')).accounts).toEqual([]);
});

test('an invitation works once, and only for the person with its address', async () => {
  const { browser, accountId } = owner;
  const email = 'stranger@example.com';
  await browser.data('POST', `/accounts/${accountId}/members`, { email, role: 'viewer' });
  const ticket = console.ticket(email);
  expect(await people.viewer.browser.refused('POST', '/join', { ticket })).toBe('401 SIGNED_OUT');
  const another = await console.person('invited@example.com');
  expect(await another.browser.refused('POST', '/join', { ticket })).toBe('401 SIGNED_OUT');
});
