/** Payments through Stripe: its signed events over HTTP, and our requests to Stripe's own mock server where it is installed. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { STRIPE_MOCK } from '../../contract/clients/matrix/stripe-mock.mjs';
import { freePort, startProcess } from '../../harness/index.mjs';
import { stripeClient } from '../../src/services/billing/stripe-client';
import { endOf, monthOf } from '../../src/services/metering/months';
import { createBilling } from '../../src/start/billing';
import { accountKey } from '../../src/stores/account-key';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { ConsoleGateway, type Person } from './console-gateway';

const secret = 'whsec_test';
const config = {
  STRIPE_SECRET_KEY: 'sk_test_123',
  STRIPE_WEBHOOK_SECRET: secret,
  STRIPE_PRICES: 'basic:price_b,growth:price_g,livenessDetection:price_l,imageAnalysis:price_i',
};
const noPayments = { SELF_SERVICE_PLANS: 'off', INVOICE_SELLER: '' } as const;
const month = monthOf(Date.now());

let now: number;
let console: ConsoleGateway;
let owner: Person;
let count = 0;
const path = (rest = '') => `/accounts/${owner.accountId}${rest}`;
const account = () => console.gateway.services.keys.findAccount(owner.accountId);

async function start(stripe?: { host: string; port: number; protocol: 'http' }) {
  console = await ConsoleGateway.start(() => now, { config, ...(stripe && { stripe }) });
}
async function newOwner() {
  now = Date.now();
  owner = await console.person(`payer-${++count}@example.com`);
}

async function deliver(type: string, object: object, changes: { id?: string; secret?: string } = {}) {
  const event = { id: changes.id ?? `evt_${++count}`, object: 'event', type, data: { object } };
  const payload = JSON.stringify(event);
  const { webhooks } = await stripeClient('sk_test_123')();
  const header = webhooks.generateTestHeaderString({ payload, secret: changes.secret ?? secret });
  return send(payload, header);
}
async function send(payload: string, signature?: string) {
  const { status } = await fetch(`${console.gateway.url}/console/api/stripe`, {
    method: 'POST',
    body: payload,
    headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
  });
  return status;
}
const paid = (plan: string, changes: object = {}) => ({
  metadata: { accountId: owner.accountId, plan },
  payment_status: 'paid',
  customer: 'cus_1',
  subscription: 'sub_1',
  ...changes,
});
const subscription = () => ({ id: 'sub_1', metadata: { accountId: owner.accountId } });

test('events of Stripe have no address on an installation without it', async () => {
  console = await ConsoleGateway.start(() => now);
  try {
    expect(await send('{}')).toBe(404);
  } finally {
    await console.stop();
  }
});

describe('events of Stripe', () => {
  beforeAll(() => start());
  afterAll(() => console.stop());
  beforeEach(newOwner);

  test('are refused without the right signature', async () => {
    const object = paid('basic');
    expect(await deliver('checkout.session.completed', object, { secret: 'whsec_other' })).toBe(400);
    const payload = JSON.stringify({ id: 'evt', type: 'checkout.session.completed', data: { object } });
    expect(await send(payload)).toBe(400);
    const { webhooks } = await stripeClient('sk_test_123')();
    const signed = webhooks.generateTestHeaderString({ payload, secret });
    expect(await send(payload.replace('basic', 'growth'), signed)).toBe(400);
    const timestamp = Math.floor(Date.now() / 1_000) - 600;
    expect(await send(payload, webhooks.generateTestHeaderString({ payload, secret, timestamp }))).toBe(400);
    expect(await send('x'.repeat(257 * 1_024), signed)).toBe(413);
    expect(await account()).toMatchObject({ plan: 'free' });
  });

  test('set the plan once it is paid', async () => {
    const waiting = paid('growth', { payment_status: 'unpaid' });
    expect(await deliver('checkout.session.completed', waiting)).toBe(200);
    expect(await account()).toMatchObject({ plan: 'free' });
    expect(await deliver('checkout.session.async_payment_succeeded', paid('growth'))).toBe(200);
    const payment = { customerId: 'cus_1', subscriptionId: 'sub_1', plan: 'growth' };
    expect(await account()).toMatchObject({ plan: 'growth', payment });
    const shown = await owner.browser.data('GET', path());
    expect(shown).toMatchObject({ plan: 'growth', paysByStripe: true });
    expect(JSON.stringify(shown)).not.toMatch(/cus_1|sub_1/);
  });

  test('are processed once, unless processing failed', async () => {
    const id = `evt_${owner.accountId}`;
    const unknown = paid('basic', { metadata: { accountId: 'acc_none', plan: 'basic' } });
    expect(await deliver('checkout.session.completed', unknown, { id })).toBe(404);
    expect(await deliver('checkout.session.completed', paid('basic'), { id })).toBe(200);
    await console.gateway.services.keys.updateAccount(owner.accountId, { plan: 'growth' });
    expect(await deliver('checkout.session.completed', paid('basic'), { id })).toBe(200);
    expect(await account()).toMatchObject({ plan: 'growth' });
  });

  test('the end of a subscription keeps the plan until the end of the month', async () => {
    await deliver('checkout.session.completed', paid('basic'));
    await deliver('customer.subscription.deleted', { ...subscription(), id: 'sub_other' });
    expect(await account()).not.toHaveProperty('plannedPlan');
    await deliver('customer.subscription.deleted', subscription());
    const plannedPlan = { plan: 'free', at: endOf(month) };
    expect(await account()).toMatchObject({ plan: 'basic', plannedPlan, payment: { customerId: 'cus_1' } });
  });

  test('the failure of a payment reaches owners and billing members by mail', async () => {
    const billing = await console.member(owner, `payer-${++count}@example.com`, 'billing');
    const viewer = await console.member(owner, `payer-${++count}@example.com`, 'viewer');
    const { metadata } = subscription();
    await deliver('invoice.payment_failed', { parent: { subscription_details: { metadata } } });
    const mailsOf = (person: Person) =>
      console.mailsTo(person.email).filter(({ subject }) => subject.startsWith('Payment failed')).length;
    expect([owner, billing, viewer].map(mailsOf)).toEqual([1, 1, 0]);
  });

  test('events of other kinds, of other products and of erased accounts change nothing', async () => {
    const before = await account();
    expect(await deliver('customer.created', { id: 'cus_1' })).toBe(200);
    expect(await deliver('checkout.session.completed', { metadata: {}, payment_status: 'paid' })).toBe(200);
    expect(await deliver('invoice.payment_failed', { parent: null })).toBe(200);
    const metadata = { accountId: 'acc_erased' };
    expect(await deliver('customer.subscription.deleted', { id: 'sub_1', metadata })).toBe(200);
    const failed = { parent: { subscription_details: { metadata } } };
    expect(await deliver('invoice.payment_failed', failed)).toBe(200);
    expect(await account()).toEqual(before);
  });
});

test.each([
  [{ STRIPE_WEBHOOK_SECRET: '' }, 'STRIPE_WEBHOOK_SECRET must be set'],
  [{ STRIPE_PRICES: 'basic:price_b,livenessDetection:price_l' }, 'STRIPE_PRICES lacks imageAnalysis'],
  [{ STRIPE_PRICES: `${config.STRIPE_PRICES},gold:price_x` }, 'STRIPE_PRICES has gold'],
])('an incomplete configuration of Stripe stops the start: %j', async (change, sentence) => {
  const given = { ...noPayments, ...config, ...change };
  const identity = {} as never;
  expect(() => createBilling({} as never, given, { admin: {} as never, identity })).toThrow(sentence);
});

if (existsSync(STRIPE_MOCK)) describe('requests to Stripe', withStripe);
else test.skip('requests to Stripe: need stripe-mock, which npm run test:clients installs', () => {});

function withStripe() {
  let mock: Awaited<ReturnType<typeof startProcess>>;
  let recorder: Server;
  /** Requests that Stripe accepted, as method, path and body. */
  let requests: string[];

  beforeAll(async () => {
    const port = await freePort();
    mock = await startProcess(STRIPE_MOCK, ['-http-port', String(port), '-https-port', '0'], {
      name: 'stripe-mock',
      ready: 'Listening for HTTPS',
    });
    recorder = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      const { method = '', url = '' } = req;
      const reply = await fetch(`http://127.0.0.1:${port}${url}`, {
        method,
        headers: { authorization: req.headers.authorization ?? '' },
        ...(body !== '' && { body: new URLSearchParams(body) }),
      });
      if (reply.ok) requests.push(`${method} ${url} ${decodeURIComponent(body)}`.trim());
      res.writeHead(reply.status, { 'content-type': 'application/json' });
      res.end(await reply.text());
    }).listen(0, '127.0.0.1');
    await once(recorder, 'listening');
    const address = { host: '127.0.0.1', port: (recorder.address() as AddressInfo).port };
    await start({ ...address, protocol: 'http' });
  });
  afterAll(async () => {
    recorder.closeAllConnections();
    recorder.close();
    await Promise.all([console.stop(), mock.stop()]);
  });
  beforeEach(async () => {
    await newOwner();
    requests = [];
  });
  const pay = async (plan: string) => {
    await deliver('checkout.session.completed', paid(plan));
    requests = [];
  };

  test('a higher plan leads to a checkout with the price of the plan and of the overage', async () => {
    const { checkoutUrl } = await owner.browser.data('POST', path('/plan'), { plan: 'basic' });
    expect(checkoutUrl).toMatch(/^https:/);
    expect(await account()).toMatchObject({ plan: 'free' });
    const [request = ''] = requests;
    expect(request).toMatch(/^POST \/v1\/checkout\/sessions mode=subscription&/);
    for (const part of [
      `client_reference_id=${owner.accountId}`,
      'line_items[0][price]=price_b',
      'line_items[0][quantity]=1',
      'line_items[1][price]=price_l',
      'line_items[2][price]=price_i',
      `subscription_data[metadata][accountId]=${owner.accountId}`,
      'metadata[plan]=basic',
    ])
      expect(request).toContain(part);
    expect(await owner.browser.refused('POST', path('/plan'), { plan: 'business' })).toBe(
      '409 CONTACT_SALES',
    );
  });

  test('a customer gets the portal, and a higher plan within the running subscription', async () => {
    await pay('basic');
    expect((await owner.browser.data('POST', path('/billing-portal'))).url).toMatch(/^https:/);
    expect(requests[0]).toMatch(/^POST \/v1\/billing_portal\/sessions customer=cus_1&/);
    requests = [];
    expect(await owner.browser.data('POST', path('/plan'), { plan: 'growth' })).toEqual({
      plan: 'growth',
      takesEffect: 'now',
    });
    expect(requests).toEqual([
      'GET /v1/subscriptions/sub_1',
      expect.stringMatching(
        /^POST \/v1\/subscriptions\/sub_1 items\[0\]\[id\]=\w+&items\[0\]\[price\]=price_g&items\[0\]\[quantity\]=1&proration_behavior=create_prorations$/,
      ),
    ]);
    expect(await account()).toMatchObject({ plan: 'growth', payment: { plan: 'growth' } });
  });

  test('a second subscription ends the first', async () => {
    await pay('basic');
    await deliver('checkout.session.completed', paid('growth', { subscription: 'sub_2' }));
    expect(requests).toEqual([expect.stringMatching(/^DELETE \/v1\/subscriptions\/sub_1/)]);
    await deliver('customer.subscription.deleted', subscription());
    expect(await account()).toMatchObject({ plan: 'growth', payment: { subscriptionId: 'sub_2' } });
  });

  test('the overage of an invoice is reported once, as its amount', async () => {
    await pay('basic');
    const { redis } = console.gateway;
    await redis.hset(accountKey(owner.accountId, 'usage'), `live:${month}:imageAnalysis:used`, 503);
    for (let i = 0; i < 2; i++) {
      await redis.del('presenza:invoices:closed');
      now = endOf(month) + 2 * 86_400_000;
      await console.run('invoices');
    }
    now = Date.now();
    const identifier = `${owner.accountId}_${month}_imageAnalysis`;
    expect(requests.filter((request) => request.includes(owner.accountId))).toEqual([
      `POST /v1/billing/meter_events event_name=presenza_imageAnalysis&identifier=${identifier}&payload[stripe_customer_id]=cus_1&payload[value]=60`,
    ]);
    expect(await owner.browser.data('GET', path(`/invoices/${month}`))).toMatchObject({
      status: 'stripe',
      total: 9.06,
    });
  });

  test('a subscription follows a lower plan, and ends after the last overage', async () => {
    await pay('growth');
    const { redis } = console.gateway;
    const since = Date.now() - 1_000;
    const store = new RedisKeyStore(redis);
    await store.updateAccount(owner.accountId, (account) => ({
      ...account,
      plannedPlan: { plan: 'free', at: since },
    }));
    await redis.set('presenza:invoices:closed', '2000-01');
    await console.run('subscriptions');
    const ofOurs = () =>
      requests.filter((request) => request.includes('sub_1') && !request.startsWith('GET'));
    expect(ofOurs()).toEqual([
      expect.stringMatching(
        /items\[0\]\[deleted\]=true&proration_behavior=create_prorations&proration_date=\d+$/,
      ),
    ]);
    await redis.set('presenza:invoices:closed', month);
    await console.run('subscriptions');
    expect(ofOurs()[1]).toMatch(/^DELETE \/v1\/subscriptions\/sub_1/);
    expect((await account()).payment).toEqual({ customerId: 'cus_1' });
    await console.run('subscriptions');
    expect(ofOurs()).toHaveLength(2);
  });
}
