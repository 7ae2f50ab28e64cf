/** Every call of the console by everybody: nobody, a stranger with an account of their own, a member of each role, and operators. */
import { registry } from '../../src/admin/registry';
import type { Call } from '../../src/console/call';
import { consoleCalls } from '../../src/console/router';
import { roles } from '../../src/services/rights/roles';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { adminToken } from '../test-gateway';
import type { ConsoleBrowser } from './browser';
import { ConsoleGateway, type Person, password } from './console-gateway';

let console: ConsoleGateway;
let owner: Person;
let stranger: Person;
let operator: Person;
/** Signed in as the operator, without a second factor. */
let withPassword: ConsoleBrowser;
const people = {} as Record<(typeof roles)[number], Person>;

beforeAll(async () => {
  console = await ConsoleGateway.start();
  owner = await console.person('owner@example.com');
  stranger = await console.person('stranger@example.com');
  operator = await console.operator('operator@example.com');
  withPassword = console.browser();
  await withPassword.data('POST', '/sign-in', { email: operator.email, password });
  people.owner = await console.member(owner, 'second-owner@example.com', 'owner');
  for (const role of ['developer', 'billing', 'viewer'] as const) {
    people[role] = await console.member(owner, `${role}@example.com`, role);
  }
});
afterAll(() => console.stop());

const named = consoleCalls.map((call) => [call.id, call] as const);
const ofAccounts = named.filter(([, { access }]) => typeof access !== 'string');

/** Calls with a path of an account, the owner's by default. The role decides before the input is read. */
async function codeFor(
  person: Pick<Person, 'browser'>,
  { http: [method, path] }: Call,
  { accountId } = owner,
): Promise<string> {
  const filled = path.replace(':account', accountId).replace(/:\w+/g, 'unknown');
  const { status, body } = await person.browser.call(method, filled, method === 'GET' ? undefined : {});
  return `${status} ${body?.error?.code ?? 'done'}`;
}

test.each(named.filter(([, { access }]) => access !== 'anyone' && access !== 'maybe'))(
  '%s is refused without a sign-in',
  async (_words, call) => {
    expect(await codeFor({ browser: console.browser() }, call)).toBe('401 SIGNED_OUT');
  },
);

test.each(ofAccounts)(
  '%s is refused for an account of somebody else, as if it did not exist',
  async (_words, call) => {
    expect(await codeFor(stranger, call)).toBe('404 NOT_FOUND');
  },
);

const denials = ofAccounts.flatMap(([id, call]) =>
  roles.filter((role) => !call.access.includes(role)).map((role) => [id, role, call] as const),
);
test.each(denials)('%s is refused for the role %s', async (_words, role, call) => {
  expect(await codeFor(people[role], call)).toBe('403 NOT_ALLOWED');
});

test.each(ofAccounts.filter(([, { http }]) => http[0] !== 'GET'))(
  '%s is refused to an owner who has a second factor and signed in with the password alone',
  async (_words, call) => {
    expect(await codeFor({ browser: withPassword }, call, operator)).toBe('403 SECOND_FACTOR_NEEDED');
  },
);

test('an owner who has a second factor and signed in with the password alone still reads the account', async () => {
  expect(await withPassword.data('GET', `/accounts/${operator.accountId}`)).toHaveProperty('accountId');
});

const reading = ofAccounts.filter(
  ([, { http }]) => http[0] === 'GET' && !/:\w+\//.test(http[1].replace(':account', '')),
);
test.each(
  reading.flatMap(([id, call]) =>
    roles.filter((role) => call.access.includes(role)).map((role) => [id, role, call] as const),
  ),
)('%s is allowed for the role %s', async (_words, role, call) => {
  expect(await codeFor(people[role], call)).not.toMatch(/^40[13] /);
});

const ofOperators = named.filter(([, { access }]) => access === 'operator');

test('operators have all of their operations in the console', () => {
  expect(ofOperators.map(([id]) => id)).toEqual(registry.map(({ id }) => `operator ${id}`));
});

describe.each(ofOperators)('%s', (_words, call) => {
  test('does not exist for others, who may own the account', async () => {
    expect(await codeFor(owner, call)).toBe('404 NOT_FOUND');
  });

  test('is refused to an operator who signed in with a password alone', async () => {
    expect(await codeFor({ browser: withPassword }, call)).toBe('403 SECOND_FACTOR_NEEDED');
  });
});

test.each(ofOperators.filter(([, { http }]) => http[0] === 'GET' && !/:(?!account)/.test(http[1])))(
  '%s works for an operator with a second factor',
  async (_words, call) => {
    expect(await codeFor(operator, call)).not.toMatch(/^40[134] /);
  },
);

test('an operator is one until removed, and the audit log names the person', async () => {
  const { browser, userId, email } = await console.operator('former@example.com');
  expect(await browser.data('GET', '/profile')).toMatchObject({ isOperator: true });
  const { accountId } = await browser.data('POST', '/operator/accounts', { name: 'New', plan: 'free' });
  const { audit } = console.gateway.services.management;
  const { items } = await audit.list({ limit: 1, accountId });
  expect(items).toMatchObject([{ actor: `operator:${userId}`, operation: 'accounts create' }]);
  const removed = await console.gateway.admin({
    method: 'DELETE',
    path: '/operators',
    bearer: adminToken,
    body: { email },
  });
  expect(removed.body.data).toEqual({ userId, email });
  expect(await browser.refused('GET', '/operator/accounts')).toBe('404 NOT_FOUND');
  expect(await browser.data('GET', '/profile')).toMatchObject({ isOperator: false });
  const { items: entries } = await audit.list({ limit: 5 });
  expect(entries[0]).toMatchObject({ operation: 'operators remove', ids: { userId } });
  expect(JSON.stringify(entries)).not.toContain(email);
});

test('no other operation of operators is a call for members', () => {
  const granted = new Set(consoleCalls.map(({ id }) => id));
  const withheld = registry.filter(({ id }) => !granted.has(id)).map(({ id }) => id);
  expect(withheld).toEqual([
    'accounts create',
    'accounts list',
    'accounts update',
    'plans list',
    'categories create',
    'categories list',
    'categories delete',
    'sessions explain',
    'usage trim',
    'audit list',
    'incidents create',
    'incidents schedule',
    'incidents update',
    'incidents delete',
    'incidents list',
    'mails count',
    'mails list',
    'operators add',
    'operators remove',
    'operators list',
    'people sign-out',
    'people reset-factors',
  ]);
});

test('a path with the id of another account does not reach it by the body', async () => {
  const { browser, accountId } = stranger;
  const body = { account: owner.accountId, name: 'mine', mode: 'live' };
  expect(await browser.refused('POST', `/accounts/${accountId}/keys`, body)).toBe('400 INVALID_PARAMETERS');
});

test('a key that a member makes works, and the audit log names the member', async () => {
  const { browser, accountId, userId } = people.developer;
  const { apiKey } = await browser.data('POST', `/accounts/${accountId}/keys`, {
    name: 'mine',
    mode: 'live',
  });
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

test('only people who may change webhooks see more of a URL than its origin', async () => {
  const url = 'https://receiver.example:8443/hooks/t0ken?key=t0ken';
  const path = `/accounts/${owner.accountId}`;
  const { webhookId } = await owner.browser.data('POST', `${path}/webhooks`, { url });
  const event = { eventId: 'evt_1', sessionId: 'ses_1', eventType: 'session.started', timestamp: 1 } as const;
  await new RedisDeliveryLog(console.gateway.redis).begin(owner.accountId, [
    { ...event, mode: 'live', webhookId, id: 'evt_1-x', state: 'dead', attempts: 1 },
  ]);
  for (const { browser } of [people.owner, people.developer]) {
    expect(await browser.data('GET', `${path}/webhooks`)).toMatchObject([{ webhookId, url }]);
  }
  expect(await operator.browser.data('GET', `/operator${path}/webhooks`)).toMatchObject([{ url }]);
  const { browser } = people.viewer;
  const seen = await browser.data('GET', `${path}/webhooks`);
  expect(seen).toMatchObject([{ webhookId, url: 'https://receiver.example:8443', urlHidden: true }]);
  const { deliveries } = await browser.data('GET', `${path}/webhook-deliveries`);
  expect(deliveries).toMatchObject([{ webhookId, eventType: 'session.started' }]);
  expect(JSON.stringify([seen, deliveries])).not.toMatch(/t0ken/);
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
  expect(await console.browser().data('POST', '/join/invitation', { ticket })).toEqual({
    account: expect.any(String),
    email,
    role: 'viewer',
    hasUser: true,
  });
  const another = await console.person('invited@example.com');
  expect(await another.browser.refused('POST', '/join', { ticket })).toBe('401 SIGNED_OUT');

  // A new person, in the browser of somebody whose sign-in ends.
  await browser.data('POST', `/accounts/${accountId}/members`, { email: 'new@example.com', role: 'viewer' });
  const earlier = console.browser();
  earlier.cookie = another.browser.cookie;
  await another.browser.data('POST', '/join', { ticket: console.ticket('new@example.com'), password });
  expect(await another.browser.data('GET', '/profile')).toMatchObject({ email: 'new@example.com' });
  expect(await earlier.refused('GET', '/profile')).toBe('401 SIGNED_OUT');
});

test('owners see open invitations and withdraw them, and their number is limited', async () => {
  const inviter = await console.person('inviter@example.com');
  const { browser, accountId } = inviter;
  const path = `/accounts/${accountId}`;
  const invite = async (email: string, role = 'viewer') => {
    const code = await browser.refused('POST', `${path}/members`, { email, role });
    return { code, ticket: console.ticket(email) };
  };
  const listed = async () => (await browser.data('GET', `${path}/invitations`)).invitations;
  const join = (ticket: string) => console.browser().refused('POST', '/join', { ticket, password });

  const accepted = await invite('accepts@example.com');
  expect(await join(accepted.ticket)).toBe('200 undefined');
  const replaced = await invite('guest@example.com', 'owner');
  const { ticket } = await invite('guest@example.com');
  expect(await join(replaced.ticket)).toBe('410 LINK_INVALID');
  const [invitation, ...others] = await listed();
  expect(others).toEqual([]);
  expect(invitation).toMatchObject({ email: 'guest@example.com', role: 'viewer', invitedBy: inviter.email });
  expect(Date.parse(invitation.expiresAt)).toBeGreaterThan(Date.now() + 6 * 24 * 60 * 60_000);

  const { invitationId } = invitation;
  const elsewhere = `/accounts/${stranger.accountId}/invitations/${invitationId}`;
  expect(await stranger.browser.refused('DELETE', elsewhere)).toBe('404 NOT_FOUND');
  expect(await listed()).toHaveLength(1);
  const ownInvitation = `${path}/invitations/${invitationId}`;
  expect(await browser.data('DELETE', ownInvitation)).toEqual({ withdrawn: true });
  expect(await browser.refused('DELETE', ownInvitation)).toBe('404 NOT_FOUND');
  expect([await join(ticket), await listed()]).toEqual(['410 LINK_INVALID', []]);
  const { entries } = await browser.data('GET', `${path}/audit?limit=9`);
  expect(entries).toContainEqual(
    expect.objectContaining({
      operation: 'invitations withdraw',
      outcome: 'done',
      changes: { invitationId },
    }),
  );

  const codes: string[] = [];
  for (let i = 0; i < 49; i++) {
    // The limit on mails from one address comes first.
    if (i % 25 === 0)
      await console.gateway.redis.del(await console.gateway.redis.keys('presenza:failures:*'));
    codes.push((await invite(`guest-${i}@example.com`)).code);
  }
  expect(new Set(codes.slice(0, 48))).toEqual(new Set(['200 undefined']));
  expect(codes.at(-1)).toBe('409 LIMIT_REACHED');
  // A new link in place of an open one is no further invitation.
  expect((await invite('guest-0@example.com')).code).toBe('200 undefined');
});
