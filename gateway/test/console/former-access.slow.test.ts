/**
 * Keys and webhook endpoints that outlive the rights of their creators: owners see them and revoke them.
 *
 * Slow: it signs up a team for each of its tests.
 */
import { ConsoleGateway, type Person } from './console-gateway';

let console: ConsoleGateway;
let owner: Person;
let developer: Person;
let path: string;
let count = 0;

beforeAll(async () => {
  console = await ConsoleGateway.start();
});
afterAll(() => console.stop());
beforeEach(async () => {
  count += 1;
  owner = await console.person(`owner-${count}@example.com`);
  developer = await console.member(owner, `developer-${count}@example.com`, 'developer');
  path = `/accounts/${owner.accountId}`;
});

const url = 'https://receiver.example/events';
const former = async () => (await owner.browser.data('GET', `${path}/former-access`)).people;
const remove = ({ userId }: Person) => owner.browser.data('DELETE', `${path}/members/${userId}`);
const changeRole = ({ userId }: Person, role: string) =>
  owner.browser.data('PATCH', `${path}/members/${userId}`, { role });
const newKey = async ({ browser }: Person, body: object = {}): Promise<{ apiKey: string; keyId: string }> =>
  browser.data('POST', `${path}/keys`, { mode: 'live', ...body });
const statusWith = async (bearer: string) =>
  (await console.gateway.api({ method: 'GET', path: '/usage', bearer })).status;
const idsOf = (person: { keys: { keyId: string }[]; webhooks: { webhookId: string }[] }) => ({
  keys: person.keys.map(({ keyId }) => keyId).sort(),
  webhooks: person.webhooks.map(({ webhookId }) => webhookId).sort(),
});

test('a removed member’s keys and endpoints are listed and revoked, also those made with a key of theirs', async () => {
  const key = await newKey(developer, { name: 'Backend' });
  const byKey = async (at: string, body: object) =>
    (await console.gateway.api({ path: at, bearer: key.apiKey, body })).body.data;
  const [second, hook] = [await byKey('/keys', {}), await byKey('/webhooks', { url })];
  const third = (await console.gateway.api({ path: '/keys', bearer: second.apiKey, body: {} })).body.data;
  const direct = await developer.browser.data('POST', `${path}/webhooks`, { url });
  const ofOwner = await newKey(owner);
  await owner.browser.data('POST', `${path}/webhooks`, { url });
  expect(await former()).toEqual([]);

  await remove(developer);
  const [person, ...others] = await former();
  expect(others).toEqual([]);
  expect(person).toMatchObject({ userId: developer.userId });
  expect(person).not.toHaveProperty('email');
  expect(person.keys).toContainEqual(expect.objectContaining({ name: 'Backend', mode: 'live' }));
  expect(idsOf(person)).toEqual({
    keys: [key.keyId, second.keyId, third.keyId].sort(),
    webhooks: [hook.webhookId, direct.webhookId].sort(),
  });
  expect(await statusWith(third.apiKey)).toBe(200);

  const revoked = await owner.browser.data('DELETE', `${path}/former-access/${developer.userId}`);
  expect(revoked).toEqual({ keys: 3, webhooks: 2 });
  for (const { apiKey } of [key, second, third]) expect(await statusWith(apiKey)).toBe(401);
  expect(await statusWith(ofOwner.apiKey)).toBe(200);
  expect(await owner.browser.data('GET', `${path}/webhooks`)).toHaveLength(1);
  expect(await former()).toEqual([]);
  const again = await owner.browser.refused('DELETE', `${path}/former-access/${developer.userId}`);
  expect(again).toBe('404 NOT_FOUND');

  const { entries } = await owner.browser.data('GET', `${path}/audit?limit=50`);
  for (const ids of [{ key: third.keyId }, { webhook: direct.webhookId }]) {
    expect(entries).toContainEqual(expect.objectContaining({ actor: owner.email, outcome: 'done', ids }));
  }
});

test('a member whose role may not create keys anymore is listed, by name', async () => {
  const { keyId } = await newKey(developer);
  await changeRole(developer, 'viewer');
  expect(await former()).toMatchObject([{ email: developer.email, role: 'viewer', keys: [{ keyId }] }]);
  await changeRole(developer, 'developer');
  expect(await former()).toEqual([]);
});

test('keys and secrets that an owner rolls are theirs, and the old key is listed until it ends', async () => {
  const { keyId } = await newKey(developer);
  const { webhookId } = await developer.browser.data('POST', `${path}/webhooks`, { url });
  await remove(developer);
  const hook = `${path}/webhooks/${webhookId}`;
  await owner.browser.data('PATCH', hook, { url: 'https://elsewhere.example/events' });
  await owner.browser.data('POST', `${hook}/roll-secret`, { graceSeconds: 0 });
  await owner.browser.data('POST', `${path}/keys/${keyId}/roll`, { graceSeconds: 3_600 });
  expect((await former()).map(idsOf)).toEqual([{ keys: [keyId], webhooks: [] }]);
  await owner.browser.data('DELETE', `${path}/keys/${keyId}`);
  expect(await former()).toEqual([]);
});

test('an endpoint whose address a member changed is listed after the member left, until an owner changes it', async () => {
  const { webhookId } = await owner.browser.data('POST', `${path}/webhooks`, { url });
  const change = ({ browser }: Person, body: object) =>
    browser.data('PATCH', `${path}/webhooks/${webhookId}`, body);
  await change(developer, { url: 'https://elsewhere.example/events' });
  await change(owner, { events: ['session.failed'] });
  await remove(developer);
  expect((await former()).map(idsOf)).toEqual([{ keys: [], webhooks: [webhookId] }]);
  await change(owner, { url });
  expect(await former()).toEqual([]);
});

const elsewhere = 'https://elsewhere.example/events';
/** Whether the endpoint still has a part that its former creator knows, after each change of an owner. */
test.each([
  ['a new URL', [['PATCH', '', { url: elsewhere }]], true],
  ['a new secret', [['POST', '/roll-secret', { graceSeconds: 0 }]], true],
  [
    'the same URL and a new secret',
    [
      ['PATCH', '', { url }],
      ['POST', '/roll-secret', { graceSeconds: 0 }],
    ],
    true,
  ],
  [
    'a new URL and a new secret with a grace period',
    [
      ['PATCH', '', { url: elsewhere }],
      ['POST', '/roll-secret', { graceSeconds: 600 }],
    ],
    true,
  ],
  [
    'a new secret and a new URL',
    [
      ['POST', '/roll-secret', { graceSeconds: 0 }],
      ['PATCH', '', { url: elsewhere }],
    ],
    false,
  ],
] as const)(
  'an endpoint of a former member with %s from an owner is listed: %p',
  async (_name, calls, isListed) => {
    const { webhookId } = await developer.browser.data('POST', `${path}/webhooks`, { url });
    await remove(developer);
    for (const [method, end, body] of calls) {
      await owner.browser.data(method, `${path}/webhooks/${webhookId}${end}`, body);
    }
    const expected = isListed ? [{ keys: [], webhooks: [webhookId] }] : [];
    expect((await former()).map(idsOf)).toEqual(expected);
  },
);

test('people who leave are listed, and operators’ keys are not', async () => {
  await newKey(developer);
  await console.gateway.services.keys.createKey(owner.accountId, 'live');
  await developer.browser.data('POST', `${path}/leave`);
  expect(await former()).toMatchObject([{ userId: developer.userId, keys: [{}], webhooks: [] }]);
});
