/**
 * The plans in Chromium: what is seen first comes first for the keyboard, and each button leads a guest to sign-up and a
 * customer to billing.
 *
 * Slow: it opens the page of plans on several screens.
 */
import texts from '../content/site.json';
import { newVisit, setUpSite, site } from './stage';
import { DESKTOP, open, PHONE } from './visit';

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

describe('a button', () => {
  const addressesFor = async (isMember: boolean) => {
    const { page } = await newVisit({ viewport: DESKTOP });
    if (isMember) await page.addInitScript(() => localStorage.setItem('visitor', 'member'));
    await open(page, `${site.url}/pricing`);
    const cards = await page
      .locator('article[data-plan]:visible')
      .evaluateAll((all) =>
        all.map((card) => [card.dataset.plan, card.querySelector('a')?.getAttribute('href')]),
      );
    const closing = await page
      .locator('main > section')
      .last()
      .getByRole('link')
      .first()
      .getAttribute('href');
    return { ...Object.fromEntries(cards), closing };
  };
  const { billing, campaign, home, signUp, source } = texts.console;
  const signUpFor = (plan: string) => `${signUp}?source=${source}&utm_campaign=${campaign}&plan=${plan}`;
  const mail = expect.stringMatching(/^mailto:.*subject=Enterprise%20Plan%20Inquiry/);

  test('leads a guest to sign-up with the plan', async () => {
    expect(await addressesFor(false)).toEqual({
      basic: signUpFor('basic'),
      growth: signUpFor('growth'),
      business: signUpFor('business'),
      free: signUpFor('free'),
      enterprise: mail,
      closing: signUpFor('free'),
    });
  });

  test('leads a customer who is signed in to billing with the plan', async () => {
    expect(await addressesFor(true)).toEqual({
      basic: `${billing}?plan=basic`,
      growth: `${billing}?plan=growth`,
      business: `${billing}?plan=business`,
      free: `${billing}?plan=free`,
      enterprise: mail,
      closing: home,
    });
  });

  test('opens billing in a new tab, and is busy for a second', async () => {
    const { context, page } = await newVisit({ viewport: DESKTOP });
    await context.route(`${site.url}/console/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Console</title>' }),
    );
    await page.addInitScript(() => localStorage.setItem('visitor', 'member'));
    await open(page, `${site.url}/pricing`);
    const button = page.locator('[data-plan="growth"] a');
    const [tab] = await Promise.all([page.waitForEvent('popup'), button.click()]);
    await tab.waitForURL(`**${billing}?plan=growth`);
    await page.locator('[data-plan="growth"] [aria-busy="true"]').waitFor({ state: 'detached' });
  });
});
