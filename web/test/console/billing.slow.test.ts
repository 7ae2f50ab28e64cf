/**
 * Usage and billing in the console: units of real requests, changes of the plan, and an invoice on paper.
 *
 * Slow: it changes plans in a browser with the whole service.
 */
import { readFileSync } from 'node:fs';
import { SAMPLE_PHOTO } from '../../../gateway/harness/cli/paths.mjs';
import { Invoices } from '../../../gateway/src/services/billing/invoices';
import { monthOf, shift } from '../../../gateway/src/services/metering/months';
import { RedisInvoices } from '../../../gateway/src/stores/billing/redis-invoices';
import { connectRedis } from '../../../gateway/src/stores/redis';
import { RedisKeyStore } from '../../../gateway/src/stores/redis-key-store';
import { RedisMeter } from '../../../gateway/src/stores/redis-meter';
import { RedisUsage } from '../../../gateway/src/stores/redis-usage';
import billingTexts from '../../content/console/billing.json';
import shellTexts from '../../content/console/shell.json';
import usageTexts from '../../content/console/usage.json';
import { monthName } from '../../src/features/console/state/months';
import { fill } from '../../src/fill';
import { expectAccessible, Person, service, setUpStage } from './stage';

const { texts } = billingTexts;
const { ledger, meter, byDay, byProduct, fields } = usageTexts.texts;

setUpStage();

const seller = 'Example Vision\nHarbor Street 1\nTax number 42';
const lastMonth = shift(monthOf(Date.now()), -1);

async function detect(person: Person, times: number): Promise<void> {
  const { apiKey } = await person.call('POST', person.path('/keys'), { name: 'Live', mode: 'live' });
  const body = readFileSync(SAMPLE_PHOTO);
  for (let i = 0; i < times; i++) {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'image/jpeg' };
    const { status } = await fetch(`${service.url}/v1/detect`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  }
}

/** Bills units to the last month, as the journal of a gateway reports late ones, and makes its invoice. */
async function invoiceLastMonth(accountId: string, units: number): Promise<void> {
  const redis = await connectRedis({ url: service.redisUrl, cluster: false }, () => {});
  const reservation = {
    ...({ index: 0, mode: 'live', month: lastMonth, day: 1, keyId: 'key_1' } as const),
    ...({ product: 'faceDetection', group: 'imageAnalysis' } as const),
  };
  const meter = new RedisMeter(redis);
  for (let i = 0; i < units; i++) {
    const late = { accountId, operation: `late${i}`, operations: 1, reserved: false };
    await meter.replay('journal', i + 1, { ...late, reservation });
  }
  const account = await new RedisKeyStore(redis).findAccount(accountId);
  const invoices = new Invoices({
    store: new RedisInvoices(redis),
    usage: new RedisUsage(redis),
    seller,
    now: Date.now,
    accounts: { listAccounts: async () => ({ items: [] }) },
  });
  // An account that existed then, with the plan that it has now.
  await invoices.invoice({ ...account!, createdAt: 0, earlierTerms: [] }, lastMonth);
  redis.disconnect();
}

test('usage shows the units of requests, adds up to the ledger, and leads to its entries', async () => {
  const owner = await Person.signUp('owner@example.com');
  const { page, button } = owner;
  await detect(owner, 2);
  await owner.open('/usage');
  await owner.sees(fill(meter.used, { used: 2, quota: 50, percent: 4 }));
  const product = page.getByRole('region', { name: byProduct.title }).getByRole('row');
  expect(await product.filter({ hasText: 'Face detection' }).innerText()).toMatch(/\t2$/);
  await page.getByText(byDay.table).click();
  const days = page.getByRole('region', { name: byDay.table }).getByRole('row');
  const today = Number(new Date().getUTCDate());
  // Besides the days, there are the headings and the sums.
  expect(await days.count()).toBe(today + 2);
  expect((await days.last().innerText()).split('\t').map(Number).slice(1).sort()).toEqual([0, 0, 0, 2]);
  await expectAccessible(page);

  await button(ledger.verify).click();
  await page.getByRole('status').filter({ hasText: ledger.matches }).waitFor();
  await owner.sees(fill(ledger.sum, { group: 'Image analyses', ledger: 2, counted: 2 }));
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: ledger.csv }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`ledger-${monthOf(Date.now())}.csv`);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line) => line.split(',')[1])).toEqual(['kind', 'commit', 'commit']);

  await page.getByLabel(fields.mode).selectOption('test');
  await owner.sees(usageTexts.texts.testNote);
  await owner.sees(fill(meter.used, { used: 0, quota: 50, percent: 0 }));
  await service.admin(
    'accounts',
    'update',
    '--account',
    owner.accountId,
    '--overrides',
    JSON.stringify({ quota: { imageAnalysis: 2 } }),
  );
  await owner.open('/usage');
  await owner.sees(fill(meter.used, { used: 2, quota: 2, percent: 100 }));

  const developer = await owner.invite('developer@example.com', 'developer');
  await developer.open('/usage');
  await developer.sees(ledger.text);
  expect(await developer.page.getByRole('link', { name: ledger.csv }).count()).toBe(0);
  await developer.open('/billing');
  await developer.sees(shellTexts.texts.notFound.title);
  expect([...owner.errors, ...developer.errors]).toEqual([]);
});

test('a member asks for a higher plan, plans a lower one and withdraws it, and prints an invoice', async () => {
  const owner = await Person.signUp('second-owner@example.com');
  const payer = await owner.invite('billing@example.com', 'billing');
  const { page, button } = payer;
  const dialogButton = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
  const choose = async (plan: string, action: string) => {
    await button(fill(texts.plans.choose, { plan })).click();
    await expectAccessible(page);
    await dialogButton(fill(action, { plan })).click();
  };
  await payer.open('/billing');
  await payer.sees(texts.invoices.none.title);
  await expectAccessible(page);
  // A link to a plan only asks.
  await page.goto(`${service.siteUrl}/console/billing?plan=growth`);
  await payer.sees(texts.change.starts.approved);
  await dialogButton(fill(texts.change.stay, { from: 'Free' })).click();
  expect(await payer.call('GET', payer.path(''))).not.toHaveProperty('requestedPlan');
  await choose('Growth', texts.change.actions.approved);
  await payer.sees(fill(texts.change.requested, { plan: 'Growth' }));
  const pending = fill(texts.pending.requested, { plan: 'Growth', price: '$24 a month', now: '$0 a month' });
  await payer.sees(pending);
  await service.admin('accounts', 'update', '--account', payer.accountId, '--plan', 'growth');
  await page.reload();
  await button(fill(texts.plans.choose, { plan: 'Basic' })).waitFor();
  expect(await page.getByText(pending).count()).toBe(0);
  const contact = page.getByRole('link', { name: texts.plans.contact });
  expect(await contact.getAttribute('href')).toMatch(/^mailto:/);

  await choose('Basic', texts.change.actions.later);
  await payer.sees(fill(texts.change.planned, { plan: 'Basic' }));
  const planned = fill(texts.pending.planned, { plan: 'Basic', price: '$9 a month' });
  await payer.sees(planned);
  await expectAccessible(page);
  await button(fill(texts.pending.withdraw, { plan: 'Growth' })).click();
  await page.getByText(planned).first().waitFor({ state: 'detached' });
  expect(await payer.call('GET', payer.path(''))).toMatchObject({ plan: 'growth' });

  await invoiceLastMonth(payer.accountId, 1_003);
  await page.reload();
  const number = `${lastMonth}-000001`;
  await page.getByRole('link', { name: number }).click();
  await payer.sees(fill(texts.invoice.base, { plan: 'Growth', month: monthName(lastMonth) }));
  const lines = page.getByRole('table', { name: texts.invoice.lines }).getByRole('row');
  const cells = (await lines.allInnerTexts()).map((text) => text.split('\t').slice(1).join(' '));
  expect(cells.slice(1)).toEqual(['1 $24.00 $24.00', '0 $0.25 $0.00', '3 $0.015 $0.045', '$24.05']);
  for (const line of seller.split('\n')) await payer.sees(line);
  await expectAccessible(page);

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'true');
  });
  await button(texts.invoice.print).click();
  expect(await page.getAttribute('body', 'data-printed')).toBe('true');
  await page.emulateMedia({ media: 'print' });
  await payer.sees(number);
  for (const hidden of [page.getByRole('navigation'), button(texts.invoice.print)]) {
    expect(await hidden.isVisible()).toBe(false);
  }
  const paper = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(paper.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  expect(payer.errors).toEqual([]);
});
