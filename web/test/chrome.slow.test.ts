/**
 * The frame of every page in Chromium: header and menu, sign-up, themes and modes, and fallbacks.
 *
 * Slow: it opens header, menu and footer on several screens.
 */
import type { Browser } from 'playwright-core';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import navigation from '../content/navigation.json';
import site from '../content/site.json';
import { launch } from './chromium';
import {
  breakPage,
  buttonOf,
  haveChosen,
  open,
  PHONE,
  reload,
  startVisit,
  type Visit,
  violations,
} from './visit';

const { console: way, menu, signUp } = navigation;

let browser: Browser;
let server: RunningSite;
let visit: Visit;

beforeAll(async () => {
  [browser, server] = await Promise.all([launch(), startSite()]);
});
afterAll(() => Promise.all([browser.close(), server.stop()]));

beforeEach(() => begin());
afterEach(async () => {
  await visit.context.close();
  expect(visit.errors).toEqual([]);
});

/** A visitor who has made a choice, so that the banner does not appear. */
async function begin(options: Parameters<typeof startVisit>[1] = {}) {
  await visit?.context.close();
  visit = await startVisit(browser, options);
  await haveChosen(visit.context, server.url, {
    analytics: false,
    marketing: false,
    timestamp: new Date().toISOString(),
  });
}

const header = () => visit.page.locator('header').first();
const links = () => header().getByRole('navigation').getByRole('link');
const currentOf = (label: string) =>
  links()
    .filter({ hasText: new RegExp(`^${label}$`) })
    .getAttribute('aria-current');

describe('the header', () => {
  test('links to the main parts and marks the current one', async () => {
    await open(visit.page, server.url);
    const addresses = await links().evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(addresses).toEqual(['/', '/products', '/pricing', '/docs', '/blog']);
    expect(await currentOf('Home')).toBe('page');
    expect(await currentOf('Products')).toBeNull();
    await open(visit.page, `${server.url}/products/face-matching`);
    expect(await currentOf('Home')).toBeNull();
    expect(await currentOf('Products')).toBe('true');
  });

  test('is translucent when scrolled by more than 50 pixels', async () => {
    await open(visit.page, server.url);
    const lookAt = async (y: number) => {
      await visit.page.evaluate((to) => window.scrollTo(0, to), y);
      await header()
        .and(visit.page.locator(`[data-scrolled="${y > 50}"]`))
        .waitFor();
      return header().evaluate((element) => {
        const { backdropFilter, backgroundColor, position } = getComputedStyle(element);
        return { backdropFilter, backgroundColor, position, top: element.getBoundingClientRect().top };
      });
    };
    const normal = await lookAt(0);
    expect(normal).toMatchObject({ backdropFilter: 'none', backgroundColor: 'rgb(246, 247, 244)' });
    expect(normal).toMatchObject({ position: 'fixed', top: 0 });
    expect(await lookAt(49)).toEqual(normal);
    expect(await lookAt(50)).toEqual(normal);
    const scrolled = await lookAt(51);
    expect(scrolled.backdropFilter).toMatch(/^blur\(\d+px\)$/);
    expect(scrolled.backgroundColor).toMatch(/\/ 0\.\d+\)$/);
    expect(scrolled.top).toBe(0);
    expect(await lookAt(0)).toEqual(normal);
  });
});

describe('the menu of a small screen', () => {
  const toggle = () => header().locator('button[aria-controls]');
  const expanded = () => toggle().getAttribute('aria-expanded');

  beforeEach(async () => {
    await begin({ viewport: PHONE });
    await open(visit.page, server.url);
  });

  const openMenu = async () => {
    await buttonOf(visit.page, menu.open).click();
    await links().first().waitFor();
    expect(await expanded()).toBe('true');
  };
  const closed = () => links().first().waitFor({ state: 'hidden' });

  test('opens and closes with its button', async () => {
    await closed();
    await openMenu();
    const controlled = await toggle().getAttribute('aria-controls');
    expect(await visit.page.locator(`#${controlled}`).getByRole('link').count()).toBe(6);
    await buttonOf(visit.page, menu.close).click();
    await closed();
  });

  test('contains sign-up on the narrowest screens, without horizontal scrolling', async () => {
    await visit.page.setViewportSize({ width: 320, height: 640 });
    await openMenu();
    const offered = header().getByRole('link', { name: signUp.label });
    expect(await offered.count()).toBe(1);
    expect(await visit.page.locator('#menu').getByRole('link', { name: signUp.label }).isVisible()).toBe(
      true,
    );
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test('closes with Escape and returns the focus to the button', async () => {
    await openMenu();
    await links().nth(2).focus();
    await visit.page.keyboard.press('Escape');
    await closed();
    expect(await toggle().evaluate((button) => button === document.activeElement)).toBe(true);
  });

  test('closes when the visitor follows a link', async () => {
    await openMenu();
    await links().first().click();
    await closed();
  });

  test('has no violations that axe finds when it is open', async () => {
    await openMenu();
    expect(await violations(visit.page, 'header')).toEqual([]);
  });

  test('closes when the focus moves into the page', async () => {
    await openMenu();
    await visit.page.locator('main a').first().focus();
    await closed();
  });
});

describe('the way into the console', () => {
  const wayOf = (name: string) => header().getByRole('link', { name, exact: true });
  const haveSignedIn = () => visit.page.addInitScript(() => localStorage.setItem('visitor', 'member'));
  const placesOf = () =>
    visit.page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.querySelectorAll('header a, header button')].map((element) => {
        const { x, width } = element.getBoundingClientRect();
        return [x, width];
      });
    });

  test.each(['/', '/pricing', '/docs/get-started', '/no/such/page'])('is on %s', async (path) => {
    await visit.page.goto(server.url + path);
    expect(await wayOf(way.guest).getAttribute('href')).toBe(site.console.home);
    expect(await wayOf(signUp.label).isVisible()).toBe(true);
    expect(await wayOf(way.member).count()).toBe(0);
  });

  test('is in the menu of a phone', async () => {
    await begin({ viewport: PHONE });
    await open(visit.page, server.url);
    await wayOf(way.guest).waitFor({ state: 'hidden' });
    await buttonOf(visit.page, menu.open).click();
    await wayOf(way.guest).waitFor();
  });

  test.each([320, 390, 768, 1280])('leads a member to the console at a width of %i', async (width) => {
    await begin({ viewport: { width, height: 800 } });
    await haveSignedIn();
    await open(visit.page, server.url);
    if (width < 384) await buttonOf(visit.page, menu.open).click();
    expect(await wayOf(way.member).getAttribute('href')).toBe(site.console.home);
    expect(await wayOf(way.guest).count()).toBe(0);
    expect(await wayOf(signUp.label).count()).toBe(0);
    expect(await visit.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    expect(await violations(visit.page, 'header')).toEqual([]);
  });

  test.each(['guest', 'member'])('does not move when React starts for a %s', async (visitor) => {
    if (visitor === 'member') await haveSignedIn();
    await visit.page.route('**/*.js', (route) => route.abort());
    await visit.page.goto(server.url);
    const before = await placesOf();
    await visit.page.unroute('**/*.js');
    await open(visit.page, server.url);
    expect(await placesOf()).toEqual(before);
  });

  test('asks no one whether the visitor is signed in', async () => {
    await haveSignedIn();
    await open(visit.page, server.url);
    const origins = visit.requests.map((url) => new URL(url).origin);
    expect([...new Set(origins)]).toEqual([server.url]);
    expect(visit.requests.filter((url) => url.includes('/console'))).toEqual([]);
  });
});

describe('the footer', () => {
  test.each([1024, 1280])('has its choices beside the copyright at a width of %i', async (width) => {
    await begin({ viewport: { width, height: 800 } });
    await open(visit.page, server.url);
    const tops = await visit.page
      .locator('footer > div > *')
      .evaluateAll((all) => all.map((part) => part.getBoundingClientRect().top));
    expect(tops).toHaveLength(3);
    expect(new Set(tops).size).toBe(1);
  });

  test.each([900, 1280])('breaks no link at a width of %i', async (width) => {
    await begin({ viewport: { width, height: 800 } });
    await open(visit.page, server.url);
    const broken = await visit.page.locator('footer nav a').evaluateAll((all) =>
      all
        .filter((link) => {
          const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(link);
          const lines =
            link.getBoundingClientRect().height -
            Number.parseFloat(paddingTop) -
            Number.parseFloat(paddingBottom);
          return lines > 1.5 * Number.parseFloat(lineHeight);
        })
        .map(({ textContent }) => textContent),
    );
    expect(broken).toEqual([]);
  });
});

describe('sign-up', () => {
  const button = () => header().getByRole('link', { name: signUp.label });

  beforeEach(() =>
    visit.context.route(`${server.url}/console/**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Console</title>' }),
    ),
  );

  const expectSignUp = (address: string) => {
    const url = new URL(address);
    expect(url.origin + url.pathname).toBe(server.url + site.console.signUp);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      source: site.console.source,
      utm_campaign: site.console.campaign,
      plan: 'free',
    });
  };

  test('opens the console in a new tab without an opener', async () => {
    await open(visit.page, server.url);
    const [tab] = await Promise.all([visit.page.waitForEvent('popup'), button().click()]);
    await tab.waitForURL('**/console/**');
    expectSignUp(tab.url());
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    expect(visit.page.url()).toBe(`${server.url}/`);
  });

  test('opens the console in this tab if popups are blocked', async () => {
    await visit.page.addInitScript(() => {
      window.open = () => null;
    });
    await open(visit.page, server.url);
    await button().click();
    await visit.page.waitForURL('**/console/**');
    expectSignUp(visit.page.url());
  });

  test('is busy for one second', async () => {
    await visit.page.clock.install();
    await open(visit.page, server.url);
    expect(await button().getAttribute('aria-busy')).toBeNull();
    await visit.page.clock.pauseAt(Date.now() + 3_600_000);
    await Promise.all([visit.page.waitForEvent('popup'), button().click()]);
    await header().locator('[aria-busy="true"]').waitFor();
    await visit.page.clock.runFor(999);
    expect(await button().getAttribute('aria-busy')).toBe('true');
    await visit.page.clock.runFor(1);
    await header().locator('[aria-busy="true"]').waitFor({ state: 'detached' });
  });
});

describe('colors', () => {
  const { page: paperOf } = {
    page: () => visit.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
  };
  const accentOf = () =>
    visit.page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--accent-day').trim(),
    );
  const DAY = 'rgb(246, 247, 244)';
  const NIGHT = 'rgb(13, 19, 28)';

  test.each(['light', 'dark'] as const)('follow a %s system, also without JavaScript', async (scheme) => {
    await begin({ colorScheme: scheme, javaScriptEnabled: false });
    await visit.page.goto(server.url);
    // JavaScript is disabled for the page, not for the test.
    expect(await paperOf()).toBe(scheme === 'light' ? DAY : NIGHT);
  });

  test('are stored and apply before any script file is loaded', async () => {
    await begin({ colorScheme: 'light' });
    await open(visit.page, server.url);
    const blue = await accentOf();
    await visit.page.getByRole('radio', { name: 'Green' }).check();
    await visit.page.getByRole('radio', { name: 'Dark' }).check();
    expect(await paperOf()).toBe(NIGHT);
    const green = await accentOf();
    expect(green).not.toBe(blue);

    // Only inline scripts run now, so that this is the first paint.
    await visit.page.route('**/*.js', (route) => route.abort());
    await visit.page.reload();
    expect(await paperOf()).toBe(NIGHT);
    expect(await accentOf()).toBe(green);
  });

  test('can be light on a dark system, and follow the system again', async () => {
    await begin({ colorScheme: 'dark' });
    await open(visit.page, server.url);
    await visit.page.getByRole('radio', { name: 'Light', exact: true }).check();
    expect(await paperOf()).toBe(DAY);
    await reload(visit.page);
    expect(await paperOf()).toBe(DAY);
    await visit.page.getByRole('radio', { name: 'System' }).check();
    expect(await paperOf()).toBe(NIGHT);
  });
});

test('the browser navigates to a page whose data fails to load', async () => {
  const failures = await breakPage(visit.context, '/products/face-matching');
  await open(visit.page, `${server.url}/products/face-detection`);
  const before = await visit.page.evaluate(() => performance.timeOrigin);
  await visit.page.locator('footer a[href="/products/face-matching"]').click();
  await visit.page.waitForURL('**/products/face-matching');
  await visit.page.waitForFunction((origin) => performance.timeOrigin > origin, before);
  expect(failures()).toBeGreaterThan(0);
  expect(await visit.page.locator('h1').count()).toBe(1);
});

describe('without JavaScript', () => {
  beforeEach(async () => {
    await begin({ javaScriptEnabled: false, viewport: PHONE });
    await visit.context.clearCookies();
    await visit.page.goto(server.url);
  });

  test('the header has its links and no controls without function', async () => {
    for (const link of await links().all()) expect(await link.isVisible()).toBe(true);
    expect(await visit.page.locator('button:enabled:visible, input:enabled:visible').count()).toBe(0);
  });

  test('sign-up is a link', async () => {
    const link = header().getByRole('link', { name: signUp.label });
    expect(await link.getAttribute('href')).toBe(
      `${site.console.signUp}?source=${site.console.source}&utm_campaign=${site.console.campaign}&plan=free`,
    );
    expect(await link.getAttribute('rel')).toBe('noopener');
  });
});

test('the 404 page links to other pages', async () => {
  const response = await visit.page.goto(`${server.url}/no/such/page`);
  expect(response?.status()).toBe(404);
  expect(await visit.page.locator('main a').count()).toBeGreaterThan(4);
});
