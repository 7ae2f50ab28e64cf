/** Usage, alerts, plans and invoices of an account over HTTP on a real Redis. */
import plans from '@presenza/contract/plans.json';
import { Invoices } from '../../src/services/billing/invoices';
import { endOf, monthOf, shift } from '../../src/services/metering/months';
import { accountKey } from '../../src/stores/account-key';
import { RedisInvoices } from '../../src/stores/billing/redis-invoices';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { ConsoleGateway, type Person } from './console-gateway';

const month = monthOf(Date.now());
const monthEnd = endOf(month);
const closed = monthEnd + 2 * 86_400_000;

let now: number;
let console: ConsoleGateway;
let owner: Person;
beforeAll(async () => {
  console = await ConsoleGateway.start(() => now);
});
let count = 0;
beforeEach(async () => {
  now = Date.now();
  for (const counter of await console.gateway.redis.keys('presenza:failures:*'))
    await console.gateway.redis.del(counter);
  owner = await console.person(`owner-${++count}@example.com`);
});
afterAll(() => console.stop());

const checked = (method: string, rest: string, body?: object) => owner.browser.data(method, path(rest), body);
const path = (rest: string, { accountId } = owner) => `/accounts/${accountId}${rest}`;
const setUsed = (group: string, used: number, mode = 'live', { accountId } = owner) =>
  console.gateway.redis.hset(accountKey(accountId, 'usage'), `${mode}:${month}:${group}:used`, used);
const setPlan = (plan: string, { accountId } = owner) =>
  console.gateway.services.keys.updateAccount(accountId, { plan: plan as 'free' });
async function detect(times: number) {
  const { apiKey } = await owner.browser.data('POST', path('/keys'), { name: 'a key', mode: 'live' });
  const body = { image: 'data:image/jpeg;base64,/9j/4AAQSkZJRg==' };
  for (let i = 0; i < times; i++) {
    const { status, text } = await console.gateway.api({ path: '/detect', bearer: apiKey, body });
    if (status !== 200) throw new Error(text);
  }
}

describe('usage', () => {
  test('is shown by product and day, with a forecast from the second day of a month on', async () => {
    await detect(3);
    const { products, forecast, daily } = await checked('GET', '/usage');
    const [detection, ...others] = products;
    expect(detection).toMatchObject({ product: 'faceDetection', group: 'imageAnalysis', used: 3 });
    expect(detection.daily).toEqual(daily.map((day: { imageAnalysis: number }) => day.imageAnalysis));
    expect(others).toEqual(
      others.map((product: object) => ({ ...product, used: 0, daily: daily.map(() => 0) })),
    );
    if (new Date().getUTCDate() === 1) expect(forecast).toBeNull();
    else expect(forecast.imageAnalysis).toMatchObject({ units: 3, share: 0.06, overageUnits: 0 });
    expect(await checked('GET', '/usage/verification')).toMatchObject({
      matches: true,
      products: { counters: { faceDetection: 3 }, ledger: { faceDetection: 3 } },
    });
  });
});

describe('alerts', () => {
  const subjects = ({ email } = owner) =>
    console.mailsTo(email).flatMap(({ subject }) => (subject.includes('has used') ? [subject] : []));

  test('reach owners and billing members once per threshold', async () => {
    const billing = await console.member(owner, `billing-${count}@example.com`, 'billing');
    const developer = await console.member(owner, `developer-${count}@example.com`, 'developer');
    await detect(1);
    await setUsed('imageAnalysis', 39);
    await console.run('usage alerts');
    expect(subjects()).toEqual([]);
    await setUsed('imageAnalysis', 40);
    await console.run('usage alerts');
    await console.run('usage alerts');
    const { name } = await owner.browser.data('GET', `/accounts/${owner.accountId}`);
    const first = `${name} has used 80% of its image analyses on Presenza`;
    expect([subjects(), subjects(billing), subjects(developer)]).toEqual([[first], [first], []]);
    expect(console.mailsTo(owner.email).at(-1)?.text).toMatch('has used 40 of the 50 image analyses');
    await setUsed('imageAnalysis', 50);
    await console.run('usage alerts');
    expect(subjects()).toEqual([first, first.replace('80', '100')]);
  });

  test('skip a threshold that was passed together with a higher one, and count another quota anew', async () => {
    await detect(1);
    await setUsed('imageAnalysis', 50);
    await console.run('usage alerts');
    expect(subjects()).toEqual([expect.stringContaining('has used 100%')]);
    await setPlan('basic');
    await setUsed('imageAnalysis', 400);
    await console.run('usage alerts');
    expect(subjects().at(-1)).toMatch('has used 80%');
    expect(console.mailsTo(owner.email).at(-1)?.text).toMatch('Over quota, each one costs $0.02.');
  });

  test('are webhooks for endpoints that take them, which the public API does not show', async () => {
    const make = (events: string[]) =>
      owner.browser.data('POST', path('/webhooks'), { url: 'https://example.com/hook', events });
    await make(['usage.threshold']);
    const { webhookId } = await make(['session.completed', 'usage.threshold']);
    expect(await owner.browser.data('GET', path('/webhooks'))).toHaveLength(2);
    const { apiKey: bearer } = await owner.browser.data('POST', path('/keys'), {
      name: 'a key',
      mode: 'live',
    });
    const { body } = await console.gateway.api({ method: 'GET', path: '/webhooks', bearer });
    expect(body.data.items).toEqual([expect.objectContaining({ webhookId, events: ['session.completed'] })]);
    const wanted = { url: 'https://example.com/hook', events: ['usage.threshold'] };
    expect((await console.gateway.api({ path: '/webhooks', bearer, body: wanted })).status).toBe(400);
  });

  test('do not count test keys', async () => {
    await detect(1);
    await setUsed('imageAnalysis', 50, 'test');
    await console.run('usage alerts');
    expect(subjects()).toEqual([]);
  });
});

describe('plans', () => {
  const change = (plan: string) => checked('POST', '/plan', { plan });
  const shown = () => owner.browser.data('GET', path(''));
  const at = (time: number) =>
    new RedisKeyStore(console.gateway.redis, () => time).findAccount(owner.accountId);

  test('a higher plan is requested of the operator, who sets it', async () => {
    expect(await change('growth')).toEqual({ requested: 'growth' });
    expect(await shown()).toMatchObject({ plan: 'free', requestedPlan: 'growth' });
    const { accounts } = await overHttp('GET', '/accounts');
    expect(accounts[0]).toMatchObject({ accountId: owner.accountId, requestedPlan: 'growth' });
    await overHttp('PATCH', `/accounts/${owner.accountId}`, { plan: 'growth' });
    const after = await shown();
    expect(after).toMatchObject({ plan: 'growth' });
    expect(after).not.toHaveProperty('requestedPlan');
  });

  test('a lower plan takes effect on the first of the next month, to the millisecond', async () => {
    await setPlan('business');
    const takesEffect = new Date(monthEnd).toISOString();
    expect(await change('basic')).toEqual({ plan: 'basic', takesEffect });
    expect(await shown()).toMatchObject({ plan: 'business', plannedPlan: { plan: 'basic', takesEffect } });
    expect(await at(monthEnd - 1)).toMatchObject({ plan: 'business' });
    const later = await at(monthEnd);
    expect(later).toMatchObject({ plan: 'basic', earlierTerms: [{}, { until: monthEnd, plan: 'business' }] });
    expect(later).not.toHaveProperty('plannedPlan');
  });

  test('a planned plan is kept by the next change of the account, and once', async () => {
    await setPlan('growth');
    await change('free');
    const store = new RedisKeyStore(console.gateway.redis, () => monthEnd + 5);
    await Promise.all(
      ['a', 'b', 'c'].map((name) => store.updateAccount(owner.accountId, (stored) => ({ ...stored, name }))),
    );
    const after = await at(Date.now());
    expect(after?.plan).toBe('free');
    expect(after?.earlierTerms?.slice(1)).toEqual([{ until: monthEnd, plan: 'growth' }]);
  });

  test('a planned and a requested plan can be withdrawn, and the last wish counts', async () => {
    await setPlan('growth');
    await change('basic');
    await change('business');
    const wish = await shown();
    expect(wish).toMatchObject({ plan: 'growth', requestedPlan: 'business' });
    expect(wish).not.toHaveProperty('plannedPlan');
    expect(await checked('DELETE', '/plan')).toEqual({ plan: 'growth' });
    expect(await shown()).not.toHaveProperty('requestedPlan');
  });

  test.each([
    ['free', 'free', '409 SAME_PLAN'],
    ['free', 'enterprise', '409 CONTACT_SALES'],
    ['enterprise', 'basic', '409 CONTACT_SALES'],
    ['free', 'none', '400 INVALID_PARAMETERS'],
  ])('from %s to %s is refused', async (before, plan, refusal) => {
    if (before !== 'free') await setPlan(before);
    expect(await owner.browser.refused('POST', path('/plan'), { plan })).toBe(refusal);
  });

  test('a higher plan takes effect at once where plans are self-service', async () => {
    const gateway = await ConsoleGateway.start(undefined, { config: { SELF_SERVICE_PLANS: 'on' } });
    try {
      const { browser, accountId } = await gateway.person('self@example.com');
      const changed = await browser.data('POST', `/accounts/${accountId}/plan`, { plan: 'basic' });
      expect(changed).toEqual({ plan: 'basic', takesEffect: 'now' });
      expect(await browser.data('GET', `/accounts/${accountId}`)).toMatchObject({ plan: 'basic' });
    } finally {
      await gateway.stop();
    }
  });

  test('there is no portal without payments', async () => {
    expect(await owner.browser.refused('POST', path('/billing-portal'))).toBe('409 NO_PAYMENTS');
  });
});

describe('invoices', () => {
  const basic = plans.find(({ tier }) => tier === 'basic')?.pricing.basePrice as number;
  beforeEach(() => console.gateway.redis.del('presenza:invoices:closed'));
  async function invoiceAt(time: number) {
    now = time;
    await console.run('invoices');
    now = Date.now();
  }

  test('are made two days after the month for accounts with a paid plan, and never change', async () => {
    await setPlan('basic');
    await setUsed('imageAnalysis', 503);
    await invoiceAt(closed - 1);
    expect(await owner.browser.data('GET', path('/invoices'))).toEqual({ invoices: [] });
    await invoiceAt(closed);
    const { invoices } = await checked('GET', '/invoices');
    const [{ number }] = invoices;
    expect(number).toMatch(new RegExp(`^${month}-\\d{6}$`));
    const total = basic + 0.06;
    expect(invoices).toEqual([{ number, month, total, currency: 'USD', status: 'due' }]);
    const invoice = await checked('GET', `/invoices/${month}`);
    const { name } = await owner.browser.data('GET', `/accounts/${owner.accountId}`);
    expect(invoice).toEqual({
      number,
      month,
      issuedAt: new Date(closed).toISOString(),
      status: 'due',
      currency: 'USD',
      period: { start: `${month}-01T00:00:00.000Z`, end: new Date(monthEnd).toISOString() },
      seller: null,
      customer: { accountId: owner.accountId, name },
      plan: 'basic',
      total,
      lines: [
        { kind: 'base', quantity: 1, unitPrice: basic, amount: basic },
        ...[
          { group: 'livenessDetection', used: 0, included: 100, quantity: 0, unitPrice: 0.3, amount: 0 },
          { group: 'imageAnalysis', used: 503, included: 500, quantity: 3, unitPrice: 0.02, amount: 0.06 },
        ].map((line) => ({ kind: 'overage', ...line })),
      ],
    });
    await setUsed('imageAnalysis', 900);
    await setPlan('business');
    await console.gateway.redis.del('presenza:invoices:closed');
    await invoiceAt(closed);
    expect(await owner.browser.data('GET', path(`/invoices/${month}`))).toEqual(invoice);
    expect(await owner.browser.refused('GET', path(`/invoices/${shift(month, -1)}`))).toBe('404 NOT_FOUND');
  });

  test.each(['free', 'enterprise'])('are not made for the plan %s', async (plan) => {
    if (plan !== 'free') await setPlan(plan);
    await invoiceAt(closed);
    expect(await owner.browser.data('GET', path('/invoices'))).toEqual({ invoices: [] });
  });

  test('have numbers without gaps and without repetitions, even if several gateways make them at once', async () => {
    const { keys, usage } = console.gateway.services;
    const { redis } = console.gateway;
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await keys.createAccount('Paying', 'basic')).id),
    );
    const store = new RedisInvoices(redis);
    const service = new Invoices({ store, usage, accounts: keys, seller: '', now: () => closed });
    const before = Number((await redis.hget('presenza:invoices:numbers', 'last')) ?? 0);
    const numbers = await Promise.all(
      [...ids, ...ids, ...ids].map(async (id) => {
        const { number } = (await service.invoice(await keys.findAccount(id), month)) ?? { number: '' };
        return Number(number.slice(month.length + 1)) - before;
      }),
    );
    const each = Array.from({ length: 20 }, (_, i) => i + 1);
    expect([...new Set(numbers)].sort((a, b) => a - b)).toEqual(each);
    expect(numbers.slice(20, 40)).toEqual(numbers.slice(0, 20));
  });

  test('are made for each month that closed since the last round, even if one account fails', async () => {
    const { keys, usage } = console.gateway.services;
    const { id } = await keys.createAccount('Paying', 'basic');
    const broken = await keys.createAccount('Broken', 'basic');
    await console.gateway.redis.set(accountKey(broken.id, 'usage'), 'no hash');
    const store = new RedisInvoices(console.gateway.redis);
    const make = () =>
      new Invoices({
        store,
        usage,
        accounts: keys,
        seller: 'A Ltd',
        now: () => endOf(shift(month, 1)) + 2 * 86_400_000,
      }).round(60_000);
    await store.close(shift(month, -1));
    await console.gateway.redis.del('presenza:invoices:lease');
    await expect(make()).rejects.toThrow();
    expect(await store.closedMonth()).toBe(shift(month, -1));
    expect(await store.list(id)).toMatchObject([{ month, seller: 'A Ltd', total: basic }]);
    await console.gateway.redis.del(accountKey(broken.id, 'usage'), 'presenza:invoices:lease');
    await make();
    expect(await store.closedMonth()).toBe(shift(month, 1));
    for (const account of [id, broken.id])
      expect((await store.list(account)).map((invoice) => invoice.month)).toEqual([shift(month, 1), month]);
  });
});

async function overHttp(method: string, route: string, body?: object) {
  const reply = await console.gateway.admin({
    method,
    path: route,
    bearer: 'ab'.repeat(32),
    ...(body && { body }),
  });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.data;
}
