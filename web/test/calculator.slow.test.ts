/**
 * The calculator of the pricing page in Chromium with the contract's numbers.
 *
 * Slow: Chromium uses the calculator on several screens.
 */
import plans from '@presenza/contract/plans.json';
import type { Browser, Page } from 'playwright-core';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import texts from '../content/pricing.json';
import { cheapestOf, monthlyCost } from '../src/components/pricing/cost';
import { formatMoney } from '../src/components/pricing/money';
import { launch } from './chromium';

let site: RunningSite;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  site = await startSite();
  browser = await launch();
  page = await browser.newPage();
  await page.goto(`${site.url}/pricing`);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

test.each([
  [0, 0],
  [120, 40],
  [1500, 0],
  [90_000, 250_000],
])(
  '%d verifications and %d analyses cost what the contract says, the cheapest plans marked',
  async (liveness, analyses) => {
    await page.getByLabel(texts.calculator.liveness).fill(String(liveness));
    await page.getByLabel(texts.calculator.analyses).fill(String(analyses));
    const costs = plans.map((plan) =>
      monthlyCost(plan, { livenessDetection: liveness, imageAnalysis: analyses }),
    );
    const rows = page.locator('#calculator tbody tr');
    const totals = costs.map((cost, position) => {
      if (cost.kind === 'priced') return formatMoney(cost.total, plans[position]?.pricing.currency ?? '');
      return cost.kind === 'tooSmall' ? texts.calculator.tooSmall : texts.calculator.byAgreement;
    });
    expect(await rows.locator('td:last-child').allTextContents()).toEqual(totals);
    expect(await page.locator('#calculator tr[data-cheapest="true"] th').allTextContents()).toEqual(
      cheapestOf(costs).map((position) => `${plans[position]?.displayName}${texts.calculator.cheapest}`),
    );
  },
);

test.each(['', '-5', '2.9', '99999999999'])(
  'the input "%s" becomes a whole number within bounds',
  async (typed) => {
    await page.getByLabel(texts.calculator.liveness).fill(typed);
    await page.getByLabel(texts.calculator.analyses).fill('0');
    const [, count] =
      /of ([\d,]+) /.exec((await page.locator('#calculator caption').textContent()) ?? '') ?? [];
    const read = Number(count?.replaceAll(',', ''));
    expect(read).toBe(Math.min(10_000_000, Math.max(0, Math.floor(Number(typed)))));
  },
);
