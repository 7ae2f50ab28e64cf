/** An Idempotency-Key belongs to its sender: another API key, or another member in the playground, never meets it. */
import openapi from '@presenza/contract/openapi.json';
import { consoleOrigin } from './console/browser';
import { ConsoleGateway, type Person } from './console/console-gateway';
import { testImageBytes } from './contract';

let console: ConsoleGateway;
let owner: Person;
let other: Person;
const keys: string[] = [];

beforeAll(async () => {
  console = await ConsoleGateway.start();
  owner = await console.person('owner@example.com');
  other = await console.member(owner, 'other@example.com', 'developer');
  const path = `/accounts/${owner.accountId}`;
  await console.gateway.services.keys.updateAccount(owner.accountId, { plan: 'business' });
  for (const { browser } of [owner, other]) {
    keys.push((await browser.data('POST', `${path}/keys`, { mode: 'test' })).apiKey);
  }
});
afterAll(() => console.stop());

/** Has a documented response, without an inference tier. */
const image = `data:image/png;base64,${testImageBytes('face').toString('base64')}`;
const bodies: Readonly<Record<string, object>> = {
  '/detect': { image },
  '/compare': { sourceImage: image, targetImage: image },
  '/moderate': { image },
  '/batch': { operations: [{ id: 'a', operation: 'detect', body: { image } }] },
  '/liveness': {},
  '/webhooks': { url: 'https://receiver.example/events' },
  '/keys': { name: 'Made' },
};
/** Another request, which would be a conflict for the same sender. */
const changed: Readonly<Record<string, object>> = {
  '/liveness': { metadata: { other: true } },
  '/webhooks': { url: 'https://receiver.example/others' },
  '/keys': { name: 'Other' },
};

const takesKey = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  'post' in methods && JSON.stringify(methods.post).includes('/Idempotency-Key"') ? [path] : [],
);

test('every operation that takes an Idempotency-Key is tried', () => {
  // A repeated cancellation changes nothing, so the service keeps no key of it.
  expect(takesKey.sort()).toEqual([...Object.keys(bodies), '/liveness/{sessionId}/cancel'].sort());
});

const sentWith = (bearer: string) => (path: string, key: string, body: object) =>
  console.gateway.api({ path, bearer, body, headers: { 'idempotency-key': key } });
const sentBy = (person: Person) => (path: string, key: string, body: object) =>
  console.gateway.api({
    path: `/console/api/accounts/${owner.accountId}/playground/test${path}`,
    body,
    headers: { origin: consoleOrigin, cookie: String(person.browser.cookie), 'idempotency-key': key },
  });
type Send = ReturnType<typeof sentWith>;

/** Values that belong to the sender alone. */
const secretsIn = (text: string) =>
  text.match(/whsec_[\w+/=]+|presenza_(?:live|test)_\w+|ses_\w+|"accessToken":"[^"]+"/g) ?? ([] as string[]);
const isRepeat = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true';

async function expectApart(path: string, first: Send, second: Send): Promise<void> {
  const key = `shared by ${path}`.replaceAll(' ', '-');
  const body = bodies[path] as object;
  const mine = await first(path, key, body);
  expect([mine.status, isRepeat(mine)]).toEqual([200, false]);
  const theirs = await second(path, key, body);
  expect([theirs.status, isRepeat(theirs)]).toEqual([200, false]);
  const secrets = secretsIn(mine.text);
  expect(secretsIn(theirs.text).filter((secret) => secrets.includes(secret))).toEqual([]);
  const different = changed[path];
  if (different) {
    const unrelated = `${key}-again`;
    expect((await first(path, unrelated, body)).status).toBe(200);
    expect((await second(path, unrelated, different)).status).toBe(200);
  }
  // The sender's own repetition is still one.
  const again = await first(path, key, body);
  expect([again.status, isRepeat(again)]).toEqual([200, true]);
}

test.each(Object.keys(bodies))(
  'two API keys with the same Idempotency-Key stay apart in %s',
  async (path) => {
    const [first = '', second = ''] = keys;
    await expectApart(path, sentWith(first), sentWith(second));
  },
);

test.each(['/detect', '/liveness'])('two members in the playground stay apart in %s', async (path) => {
  await expectApart(path, sentBy(owner), sentBy(other));
});

test('a key that another key made with the same Idempotency-Key still works', async () => {
  const [first = '', second = ''] = keys;
  const made = (await sentWith(first)('/keys', 'k', { name: 'First' })).body.data;
  await sentWith(second)('/keys', 'k', { name: 'First' });
  const { status } = await console.gateway.api({ method: 'GET', path: '/usage', bearer: made.apiKey });
  expect(status).toBe(200);
});

test('a repetition does not show a webhook secret that somebody rolled since', async () => {
  const [, second = ''] = keys;
  const body = { url: 'https://receiver.example/rolled' };
  const { webhookId } = (await sentWith(second)('/webhooks', 'rolled', body)).body.data;
  await owner.browser.data('POST', `/accounts/${owner.accountId}/webhooks/${webhookId}/roll-secret`, {
    graceSeconds: 0,
  });
  const again = await sentWith(second)('/webhooks', 'rolled', body);
  expect([again.status, again.text.includes('whsec_')]).toEqual([409, false]);
});
