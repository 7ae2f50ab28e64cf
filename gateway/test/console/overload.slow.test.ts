/**
 * Strangers and customers who hold as many requests of the console as they get: everybody else is still served.
 *
 * Slow: hundreds of slow requests wait for their deadlines.
 */
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { waitUntil } from '../../harness/index.mjs';
import { bounds } from '../../src/bounds';
import { Connection, json } from '../stand-in';
import { type Receiver, received, startReceiver } from '../webhooks/receiver';
import { consoleOrigin } from './browser';
import { ConsoleGateway, password } from './console-gateway';

let console: ConsoleGateway;
/** Does not respond before the test says so. */
let receiver: Receiver;
const open: ServerResponse[] = [];
beforeAll(async () => {
  console = await ConsoleGateway.start(undefined, { trustProxy: 1 });
  receiver = await startReceiver((response) => void open.push(response));
});
afterAll(async () => {
  await receiver.close();
  await console.stop();
});

/** More than the API or the console admits at once. */
const many = 600;
const holding: Connection[] = [];
afterEach(() => {
  for (const { socket } of holding.splice(0)) socket.destroy();
});

/** Sends the beginning of a request. Resolves to its status: 100 once the console waits for the rest. */
async function hold(path: string, headers: Record<string, string>): Promise<number> {
  const connection = new Connection(connect(Number(new URL(console.gateway.url).port), '127.0.0.1'));
  holding.push(connection);
  const all = { ...json, ...headers, Origin: consoleOrigin, Expect: '100-continue', 'Content-Length': 100 };
  return (await connection.send(`POST /console/api${path} HTTP/1.1`, all).reply()).status;
}

/** The statuses of calls that everybody else makes. */
async function othersGet({ email, accountId, browser }: Awaited<ReturnType<typeof console.person>>) {
  const { apiKey } = await console.gateway.services.keys.createKey(accountId, 'test');
  const usage = await console.gateway.api({ method: 'GET', path: '/usage', bearer: apiKey });
  const detect = await console.gateway.api({
    method: 'POST',
    path: '/detect',
    bearer: apiKey,
    body: { image: 'data:image/jpeg;base64,/9j/' },
  });
  const profile = await browser.call('GET', '/profile');
  const signIn = await console
    .browser(consoleOrigin, '192.0.2.9')
    .call('POST', '/sign-in', { email, password });
  return { usage: usage.status, detect: detect.status, profile: profile.status, signIn: signIn.status };
}
const served = { usage: 200, detect: 200, profile: 200, signIn: 200 };

test.each(['/sign-up', '/sign-in', '/reset'])(
  'an address that holds as many requests as it gets with slow bodies for %s takes no capacity from others',
  async (path) => {
    const person = await console.person(`victim${path.replace('/', '-')}@example.com`);
    const slow = { 'X-Forwarded-For': '192.0.2.1' };
    const statuses = await Promise.all(Array.from({ length: many }, () => hold(path, slow)));
    expect(new Set(statuses)).toEqual(new Set([100, 429]));
    expect(await othersGet(person)).toEqual(served);
  },
);

test('a person who holds as many requests as the console grants takes no capacity from others', async () => {
  const attacker = await console.person('slow@example.com');
  const person = await console.person('victim@example.com');
  const headers = { Cookie: attacker.browser.cookie ?? '' };
  // A change, of which a person may make 300.
  const path = `/accounts/${attacker.accountId}/keys`;
  const statuses = await Promise.all(Array.from({ length: 250 }, () => hold(path, headers)));
  expect(new Set(statuses)).toEqual(new Set([100, 429]));
  expect(await othersGet(person)).toEqual(served);
});

test('an account tests only a few webhook endpoints at once, however long their receivers take', async () => {
  const { browser, accountId } = await console.person('tests@example.com');
  const person = await console.person('other-tests@example.com');
  await console.gateway.services.keys.updateAccount(accountId, { localWebhooks: true });
  const { webhookId } = await browser.data('POST', `/accounts/${accountId}/webhooks`, { url: receiver.url });
  const run = () => browser.call('POST', `/accounts/${accountId}/webhooks/${webhookId}/test`);
  const replies = Array.from({ length: bounds.webhookTests }, run);
  await receiver.count(bounds.webhookTests);
  const refused = await run();
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED']);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await othersGet(person)).toEqual(served);
  for (const response of open.splice(0)) response.end();
  for (const reply of replies) expect((await reply).body.data.delivered).toBe(true);
  receiver.respond = received;
  expect((await run()).status).toBe(200);
});

test('a person reads only a few ledgers and logs at once: other requests wait, and other people do not', async () => {
  const { browser, accountId } = await console.person('exports@example.com');
  const person = await console.person('other-exports@example.com');
  let openGate = () => {};
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const { usage } = console.services.admin;
  const readLedger = usage.readLedger.bind(usage);
  let [running, most] = [0, 0];
  const spy = jest.spyOn(usage, 'readLedger').mockImplementation(async function* (id, month) {
    if (id === accountId) {
      running++;
      most = Math.max(most, running);
      await gate;
      running--;
    }
    yield* readLedger(id, month);
  });
  const replies = Array.from({ length: 10 }, (_, at) =>
    browser.call('GET', `/accounts/${accountId}/${at % 2 ? 'ledger' : 'usage/verification'}`),
  );
  await waitUntil('the largest number of requests is reading', () => running >= bounds.consoleSearches);
  const ofOther = await person.browser.call('GET', `/accounts/${person.accountId}/usage/verification`);
  expect(ofOther.status).toBe(200);
  expect(await othersGet(person)).toEqual(served);
  openGate();
  for (const reply of replies) expect((await reply).status).toBe(200);
  expect(most).toBe(bounds.consoleSearches);
  spy.mockRestore();
});
