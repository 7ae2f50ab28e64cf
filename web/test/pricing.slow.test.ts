/**
 * The order of the plans in Chromium: what is seen first comes first for the keyboard.
 *
 * Slow: it opens the page of plans on several screens.
 */
import { newVisit, setUpSite, site } from './stage';
import { DESKTOP, PHONE } from './visit';

setUpSite();

test.each([
  ['phone', PHONE, ['free', 'basic', 'growth', 'business', 'enterprise']],
  ['desktop', DESKTOP, ['basic', 'growth', 'business', 'free', 'enterprise']],
])('a %s shows each plan once, in the order of the keyboard', async (_, viewport, order) => {
  const { page } = await newVisit({ viewport, javaScriptEnabled: false });
  await page.goto(`${site.url}/pricing`);
  const plans = await page.locator('article[data-plan]:visible').evaluateAll((all) =>
    (all as HTMLElement[]).map((article) => {
      const { left, top } = article.getBoundingClientRect();
      return { tier: article.dataset.plan, left, top };
    }),
  );
  expect(plans.map(({ tier }) => tier)).toEqual(order);
  const seen = [...plans].sort((a, b) => a.top - b.top || a.left - b.left);
  expect(seen).toEqual(plans);

  const reached: (string | undefined)[] = [];
  for (let presses = 0; presses < 60 && reached.length < order.length; presses++) {
    await page.keyboard.press('Tab');
    const tier = await page
      .locator(':focus')
      .evaluate((element) => element.closest<HTMLElement>('[data-plan]')?.dataset.plan);
    if (tier && !reached.includes(tier)) reached.push(tier);
  }
  expect(reached).toEqual(order);
});
