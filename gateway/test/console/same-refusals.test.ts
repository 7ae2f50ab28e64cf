/** One request is refused with one code, one reason and one status by the API, the console and the operators' API. */
import errors from '@presenza/contract/errors.json';
import { adminToken } from '../test-gateway';
import { ConsoleGateway, type Person } from './console-gateway';

let console: ConsoleGateway;
let owner: Person;
let bearer: string;
const account = () => `/accounts/${owner.accountId}`;

beforeAll(async () => {
  console = await ConsoleGateway.start();
  owner = await console.person('owner@example.com');
  await console.gateway.services.keys.updateAccount(owner.accountId, { plan: 'basic' });
  bearer = (await owner.browser.data('POST', `${account()}/keys`, { name: 'a key', mode: 'live' })).apiKey;
});
afterAll(() => console.stop());

const url = 'https://shop.example/hook';
const refusals = [
  { name: 'a synchronous webhook on Basic', expected: 'PERMISSION_DENIED plan', body: { url, type: 'sync' } },
  {
    name: 'onFailure of an asynchronous webhook',
    expected: 'INVALID_PARAMETERS value',
    body: { url, type: 'async', onFailure: 'reject' },
  },
  { name: 'an address inside', expected: 'INVALID_PARAMETERS value', body: { url: 'https://10.0.0.1/' } },
  {
    name: 'an address without TLS',
    expected: 'INVALID_PARAMETERS value',
    body: { url: 'http://shop.example/' },
  },
  { name: 'an unknown webhook', expected: 'NOT_FOUND webhook', removed: `/webhooks/wh_${'0'.repeat(20)}` },
  { name: 'an unknown key', expected: 'NOT_FOUND key', removed: `/keys/key_${'0'.repeat(20)}` },
];

test.each(refusals)('$name: $expected', async ({ expected, body, removed }) => {
  const path = removed ?? '/webhooks';
  const request = removed ? { method: 'DELETE' } : { method: 'POST', body };
  const replies = {
    api: await console.gateway.api({ ...request, path, bearer }),
    console: await owner.browser.call(request.method, account() + path, body),
    operators: await console.gateway.admin({ ...request, path: account() + path, bearer: adminToken }),
  };
  const [code = ''] = expected.split(' ');
  const { status } = errors[code as keyof typeof errors];
  for (const [place, reply] of Object.entries(replies)) {
    const { error } = reply.body;
    expect([place, reply.status, `${error.code} ${error.reason}`]).toEqual([place, status, expected]);
  }
});
