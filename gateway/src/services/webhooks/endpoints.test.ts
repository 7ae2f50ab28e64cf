import { AddressGuard, type AddressRules } from './address-guard';
import { type WebhookEndpoint, WebhookService, type WebhookStore, webhookVault } from './endpoints';

const account = { id: 'acc_1', name: 'Tests', plan: 'growth', createdAt: 0 } as const;

/** Stores the newest endpoint in memory. */
function memory(): WebhookStore {
  let kept: WebhookEndpoint | undefined;
  return {
    addEndpoint: async (_account, endpoint) => {
      kept = endpoint;
      return 'added';
    },
    listEndpoints: async () => (kept ? [kept] : []),
    findEndpoint: async () => kept,
    updateEndpoint: async (_account, _id, change) => {
      kept = kept && change(kept);
      return kept;
    },
    removeEndpoint: async () => false,
  };
}

const serviceWith = (rules: AddressRules, store = memory()) =>
  new WebhookService({
    store,
    accounts: { findAccount: async () => account },
    vault: webhookVault('5a'.repeat(32)),
    log: { clearHealth: async () => {} },
    addresses: new AddressGuard(rules),
  });

const create = (service: WebhookService, url: string) =>
  service.create(account.id, { url, events: ['session.completed'], type: 'async' });

const inProduction = { allowLoopback: false };

describe.each([
  ['private', ['10.0.0.1', '172.16.0.1', '192.168.1.1', '[fd00::1]', '[::ffff:10.0.0.1]', '[::ffff:a00:1]']],
  ['link-local', ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]']],
  ['loopback', ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::1]', 'localhost', 'a.localhost']],
  ['unspecified', ['0.0.0.0', '[::]']],
  ['multicast and broadcast', ['224.0.0.1', '255.255.255.255', '[ff02::1]']],
  ['documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]']],
  ['carrier-grade NAT', ['100.64.0.1']],
  ['embedded IPv4', ['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::7f00:1]']],
])('an endpoint at a %s address', (_kind, hosts) => {
  test.each(hosts)('refuses %s with an explanation', async (host) => {
    await expect(create(serviceWith(inProduction), `https://${host}:8443/hook`)).rejects.toThrow(
      /^Events cannot be delivered to [^ ]+: it is not a public address\. If it is one of your own network, add it to WEBHOOK_ALLOWED_ADDRESSES; if it is this machine, run accounts update --account \w+ --local-webhooks true$/,
    );
  });
});

test.each([
  'https://8.8.8.8/hook',
  'https://[2606:4700::1111]/hook',
  'https://does-not-resolve.example/hook',
])('accepts %s, because names are resolved at each delivery', async (url) => {
  expect((await create(serviceWith(inProduction), url)).endpoint.url).toBe(url);
});

test('accepts the exceptions of the operator', async () => {
  const service = serviceWith({ allowLoopback: true, allowed: ['10.1.0.0/16'] });
  for (const url of [
    'http://localhost:3000/',
    'http://127.0.0.1:3000/',
    'https://[::1]/',
    'https://10.1.2.3/',
  ]) {
    expect((await create(service, url)).endpoint.url).toBe(url);
  }
  await expect(create(service, 'https://10.2.0.1/')).rejects.toThrow('10.2.0.1: it is not a public address');
});

test('checks an address when it changes, and lets other settings change at a refused address', async () => {
  const store = memory();
  const lenient = serviceWith({ allowLoopback: false, allowed: ['10.0.0.0/8'] }, store);
  const { endpoint } = await create(lenient, 'https://10.0.0.1/hook');
  const strict = serviceWith(inProduction, store);
  await expect(strict.update(account.id, endpoint.id, { url: 'https://10.0.0.2/' })).rejects.toThrow(
    '10.0.0.2: it is not a public address',
  );
  expect(await strict.update(account.id, endpoint.id, { events: ['session.failed'] })).toMatchObject({
    url: 'https://10.0.0.1/hook',
    events: ['session.failed'],
  });
});

test.each([
  'http://example.com/',
  'ftp://localhost/',
  'https:///hook',
  'https://?hook',
  'https://example.com:0/',
  'https://example.com:65536/',
  'https://user:pass@example.com/',
  'https://example.com/#part',
  'https://a..b/',
  `https://example.com/${'x'.repeat(2_048)}`,
])('rejects %s as an endpoint', async (url) => {
  await expect(create(serviceWith(inProduction), url)).rejects.toThrow('The address must be an https URL');
});
