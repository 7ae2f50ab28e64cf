/**
 * Consent in Chromium: the banner, the stored choice, and analytics.
 *
 * Slow: it opens a browser for each choice of a visitor.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import texts from '../content/consent.json';
import siteTexts from '../content/site.json';
import { launch } from './chromium';
import {
  bannerOf,
  breakPage,
  buttonOf,
  haveChosen,
  open,
  PHONE,
  type Record,
  startVisit,
  type Visit,
  violations,
} from './visit';

const PUBLIC = join(__dirname, '..', 'public');
const DAY_MS = 86_400_000;
/** A host other than localhost, on which Chromium refuses Secure cookies over http. */
const INSECURE_HOST = 'site.test';

const { banner, dialog, necessaryOnly } = texts;
const footerButton = siteTexts.footer.cookieSettings;

let browser: Browser;
let server: RunningSite;
let visit: Visit;

beforeAll(async () => {
  [browser, server] = await Promise.all([
    launch([`--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`]),
    startSite(),
  ]);
});
afterAll(() => Promise.all([browser.close(), server.stop()]));

beforeEach(async () => {
  visit = await startVisit(browser);
});
afterEach(async () => {
  await visit.context.close();
  expect(visit.errors).toEqual([]);
});

/** Enables Global Privacy Control for this page of the visit. */
const sendSignal = () =>
  visit.page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
const asked = () => bannerOf(visit.page).waitFor();
const gone = () => bannerOf(visit.page).waitFor({ state: 'detached' });
const press = (name: string) => buttonOf(visit.page, name).click();
const settings = () => visit.page.getByRole('dialog', { name: dialog.heading });
const toggle = (name: string) => settings().getByRole('checkbox', { name });

async function cookie() {
  const stored = (await visit.context.cookies()).find(({ name }) => name === 'consent');
  return stored && { ...stored, record: JSON.parse(decodeURIComponent(stored.value)) as Record };
}

/** Reloads the page and reports whether the banner appeared at any time. */
async function asksAfterReload() {
  await visit.page.addInitScript((label) => {
    const seen = { banner: false };
    Object.assign(window, { seen });
    new MutationObserver(() => {
      seen.banner ||= document.querySelector(`section[aria-label="${label}"]`) !== null;
    }).observe(document, { childList: true, subtree: true });
  }, banner.label);
  await open(visit.page, visit.page.url());
  return visit.page.evaluate(() => (window as unknown as { seen: { banner: boolean } }).seen.banner);
}

describe('the banner', () => {
  test('appears without a choice, and takes no focus and shifts no layout', async () => {
    // Font loading may shift the layout, which this test ignores.
    await visit.context.route('**/*.woff2', (route) => route.abort());
    await visit.page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await open(visit.page, server.url);
    await asked();
    expect(await visit.page.evaluate(() => document.activeElement === document.body)).toBe(true);
    // The browser reports shifts with the next frame.
    await visit.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))),
    );
    expect(await visit.page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
  });

  test('has equal buttons for accepting and refusing', async () => {
    await open(visit.page, server.url);
    await asked();
    const styleOf = (name: string) =>
      buttonOf(visit.page, name).evaluate((button) => {
        const { color, backgroundColor, borderColor, fontSize, fontWeight, height } =
          getComputedStyle(button);
        return { color, backgroundColor, borderColor, fontSize, fontWeight, height };
      });
    expect(await styleOf(necessaryOnly)).toEqual(await styleOf(banner.acceptAll));
    const links = await bannerOf(visit.page)
      .getByRole('link')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
    expect(links).toEqual(['/privacy-policy', '/cookie-policy']);
  });

  test.each([false, true])(
    'covers a fifth of a phone at most, with readable text and all buttons in one row (privacy signal: %s)',
    async (hasSignal) => {
      await visit.page.setViewportSize(PHONE);
      if (hasSignal) await sendSignal();
      await open(visit.page, server.url);
      await asked();
      const box = await bannerOf(visit.page).boundingBox();
      expect(box?.height).toBeGreaterThan(60);
      expect(box?.height).toBeLessThanOrEqual(PHONE.height / 5);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(PHONE.height);
      const buttons = await bannerOf(visit.page)
        .getByRole('button')
        .evaluateAll((all) =>
          all.map((button) => {
            const { top, width, height } = button.getBoundingClientRect();
            return { name: button.textContent, top, width, height, fits: button.scrollWidth <= width };
          }),
        );
      expect(buttons.map(({ name }) => name)).toEqual([necessaryOnly, banner.acceptAll, banner.preferences]);
      expect(new Set(buttons.map(({ top }) => top)).size).toBe(1);
      expect(buttons[0]?.width).toBe(buttons[1]?.width);
      for (const { height, fits } of buttons) {
        expect(height).toBeGreaterThanOrEqual(44);
        expect(fits).toBe(true);
      }
      const sizes = await bannerOf(visit.page)
        .locator('p, a, button')
        .evaluateAll((all) => all.map((element) => parseFloat(getComputedStyle(element).fontSize)));
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(13);
    },
  );

  test('covers neither focused elements nor the end of the page', async () => {
    await visit.page.setViewportSize({ ...PHONE, height: 500 });
    await open(visit.page, server.url);
    await asked();
    const top = (await bannerOf(visit.page).boundingBox())?.y ?? 0;
    const last = visit.page.locator('footer input, footer a, footer button').last();
    for (const target of [...(await visit.page.locator('main a, footer a').all()), last]) {
      // The browser scrolls to the focused element.
      await target.evaluate((element) => element.focus());
      const box = await target.boundingBox();
      expect(box && box.y + box.height <= top + 1).toBe(true);
    }
  });

  test('is absent on the verification page and without JavaScript', async () => {
    await visit.page.goto(`${server.url}/verify`);
    await visit.page.locator('[data-name]').first().waitFor();
    expect(await bannerOf(visit.page).count()).toBe(0);
    await visit.context.close();
    visit = await startVisit(browser, { javaScriptEnabled: false });
    await visit.page.goto(server.url);
    expect(await bannerOf(visit.page).count()).toBe(0);
  });
});

describe('a choice', () => {
  test.each([
    [banner.acceptAll, { analytics: true, marketing: true }],
    [necessaryOnly, { analytics: false, marketing: false }],
  ])(
    '%s: is stored in a strict cookie for 395 days, and the banner does not return',
    async (name, choices) => {
      await open(visit.page, server.url);
      await press(name);
      await gone();
      const kept = await cookie();
      expect(kept?.record).toMatchObject({ necessary: true, ...choices });
      // This machine serves the page over plain HTTP, where WebKit would not store it with Secure.
      expect(kept).toMatchObject({ secure: false, sameSite: 'Strict', path: '/' });
      const days = (Number(kept?.expires) * 1000 - Date.parse(String(kept?.record.timestamp))) / DAY_MS;
      expect(days).toBeCloseTo(395, 3);
      expect(await asksAfterReload()).toBe(false);
    },
  );

  test('expires after 13 months', async () => {
    const timestamp = new Date(Date.now() - 400 * DAY_MS).toISOString();
    await haveChosen(visit.context, server.url, { analytics: true, marketing: true, timestamp });
    await open(visit.page, server.url);
    await asked();
  });

  test('lasts for the visit on addresses without secure cookies', async () => {
    const url = server.url.replace('127.0.0.1', INSECURE_HOST);
    await open(visit.page, url);
    await press(necessaryOnly);
    await gone();
    expect(await cookie()).toBeUndefined();
    expect(await asksAfterReload()).toBe(false);
    const other = await visit.context.newPage();
    await other.goto(url);
    await bannerOf(other).waitFor();
  });
});

describe('the dialog', () => {
  test('opens from the banner with all categories off, and saves the enabled ones', async () => {
    await open(visit.page, server.url);
    await press(banner.preferences);
    await settings().waitFor();
    expect(await toggle('Analytics').isChecked()).toBe(false);
    expect(await toggle('Marketing').isChecked()).toBe(false);
    expect(await toggle('Necessary').count()).toBe(0);
    expect(await settings().textContent()).toContain(dialog.alwaysActive);
    await settings().locator('summary').nth(1).click();
    expect(
      await settings()
        .getByText(texts.categories[1]?.retention ?? '')
        .isVisible(),
    ).toBe(true);
    await toggle('Analytics').check();
    await press(dialog.confirm);
    await gone();
    expect((await cookie())?.record).toMatchObject({ analytics: true, marketing: false });
  });

  test('puts the focus on its heading, and Tab leads to the first control', async () => {
    await open(visit.page, server.url);
    await press(banner.preferences);
    await settings().waitFor();
    const focused = () => visit.page.evaluate(() => document.activeElement?.tagName);
    expect(await focused()).toBe('H2');
    await visit.page.keyboard.press('Tab');
    expect(await settings().evaluate((element) => element.contains(document.activeElement))).toBe(true);
    expect(await focused()).not.toBe('H2');
  });

  test('opens from the footer with the current choice, and revokes it', async () => {
    const timestamp = new Date().toISOString();
    await haveChosen(visit.context, server.url, { analytics: true, marketing: true, timestamp });
    await open(visit.page, server.url);
    await press(footerButton);
    await settings().waitFor();
    expect(await toggle('Marketing').isChecked()).toBe(true);
    await press(necessaryOnly);
    await settings().waitFor({ state: 'detached' });
    expect((await cookie())?.record).toMatchObject({ analytics: false, marketing: false });
  });

  test('traps the focus, returns it on Escape, and saves nothing then', async () => {
    await open(visit.page, server.url);
    await press(footerButton);
    await settings().waitFor();
    for (let i = 0; i < 12; i++) {
      await visit.page.keyboard.press('Tab');
      expect(await settings().evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await visit.page.keyboard.press('Escape');
    await settings().waitFor({ state: 'detached' });
    await buttonOf(visit.page, footerButton).and(visit.page.locator(':focus')).waitFor();
    expect(await cookie()).toBeUndefined();
    await asked();
  });
});

test('axe finds no violations in the dialog, in light and dark mode', async () => {
  await visit.page.setViewportSize(PHONE);
  await open(visit.page, server.url);
  await press(banner.preferences);
  await settings().locator('summary').first().click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await visit.page.emulateMedia({ colorScheme });
    expect(await violations(visit.page, '[role=dialog]')).toEqual([]);
  }
});

describe('with Global Privacy Control', () => {
  test('the site confirms the signal, and optional categories are disabled', async () => {
    await sendSignal();
    await open(visit.page, server.url);
    await asked();
    expect(await bannerOf(visit.page).textContent()).toContain(texts.signal);
    await press(banner.acceptAll);
    await gone();
    await press(footerButton);
    await settings().waitFor();
    expect(await settings().textContent()).toContain(texts.signal);
    for (const name of ['Analytics', 'Marketing']) {
      expect(await toggle(name).isDisabled()).toBe(true);
      expect(await toggle(name).isChecked()).toBe(false);
    }
    await press(dialog.confirm);
    expect((await cookie())?.record).toMatchObject({ analytics: false, marketing: false });
  });
});

test('pages make no requests to other origins, before and after consent', async () => {
  for (const path of ['/', '/products/liveness-verification', '/404'])
    await open(visit.page, server.url + path);
  await press(banner.acceptAll);
  await gone();
  await visit.page.locator('header a[href="/"]').first().click();
  await visit.page.waitForURL(`${server.url}/`);
  await visit.page.waitForLoadState('networkidle');
  expect(visit.requests.length).toBeGreaterThan(10);
  expect(visit.requests.filter((address) => !address.startsWith(server.url))).toEqual([]);
});

describe('a build with an endpoint for events', () => {
  let endpoint: Server;
  let reporting: RunningSite;
  let folder: string;
  let events: { event: string; page: string; properties: object }[];
  let arrived: () => void;

  beforeAll(async () => {
    endpoint = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk) => {
        body += chunk;
      });
      req.on('end', () => {
        events.push(JSON.parse(body));
        res.end();
        arrived();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => endpoint.once('listening', resolve));
    folder = mkdtempSync(join(tmpdir(), 'site-'));
    copySite(folder, `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/events`);
    reporting = await startSite({}, { folder });
  });
  afterAll(async () => {
    await reporting.stop();
    endpoint.closeAllConnections();
    endpoint.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    events = [];
    arrived = () => {};
  });

  /** Waits for an event of that name. */
  const reported = (name: string) =>
    new Promise<(typeof events)[number]>((resolve) => {
      arrived = () => {
        const match = events.find(({ event }) => event === name);
        if (match) resolve(match);
      };
      arrived();
    });

  test('reports nothing before consent, and events after it', async () => {
    await open(visit.page, `${reporting.url}/products/face-matching`);
    await press(banner.acceptAll);
    const saved = await reported('consent_saved');
    expect(events[0]).toBe(saved);
    expect(saved).toMatchObject({
      page: '/products/face-matching',
      properties: { analytics: 'true', marketing: 'true' },
    });
    await visit.page.locator('footer a[href="/products/face-detection"]').click();
    expect(await reported('page_view')).toMatchObject({ page: '/products/face-detection' });
    expect((await reported('navigation')).properties).toEqual({
      from: '/products/face-matching',
      to: '/products/face-detection',
    });
  });

  test('reports page views, clicks on plans, and pages that failed to load', async () => {
    const timestamp = new Date().toISOString();
    await haveChosen(visit.context, reporting.url, { analytics: true, marketing: false, timestamp });
    await breakPage(visit.context, '/products/image-moderation');
    await visit.page.addInitScript(() => {
      window.open = () => window;
    });
    await open(visit.page, `${reporting.url}/?email=ada@example.com#top`);
    expect(await reported('page_view')).toMatchObject({ page: '/', properties: {} });
    await visit.page.locator('header').getByRole('link', { name: 'Get Started' }).click();
    expect((await reported('plan_clicked')).properties).toEqual({ plan: 'free' });
    await visit.page.locator('footer a[href="/products/image-moderation"]').click();
    expect((await reported('exception')).properties).toEqual({
      kind: 'navigation',
      at: '/products/image-moderation',
    });
    await visit.page.waitForURL('**/products/image-moderation');
    expect(JSON.stringify(events)).not.toContain('ada@example.com');
  });

  test('reports nothing under Global Privacy Control, even with all categories accepted', async () => {
    await sendSignal();
    await open(visit.page, reporting.url);
    await press(banner.acceptAll);
    await gone();
    await open(await visit.context.newPage(), `${reporting.url}/404`);
    await reported('page_view');
    expect(events.map(({ page }) => page)).toEqual(['/404']);
  });

  test('reports nothing on the verification page', async () => {
    const timestamp = new Date().toISOString();
    await haveChosen(visit.context, reporting.url, { analytics: true, marketing: true, timestamp });
    await visit.page.goto(`${reporting.url}/verify`);
    await visit.page.locator('[data-name]').first().waitFor();
    await open(visit.page, `${reporting.url}/404`);
    await reported('page_view');
    expect(events.map(({ page }) => page)).toEqual(['/404']);
  });
});

/** A copy of the built site with the endpoint of a build with ANALYTICS_URL. */
function copySite(folder: string, address: string) {
  cpSync(PUBLIC, folder, { recursive: true, filter: (file) => !/\.(?:br|gz|map)$/.test(file) });
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.html') && !/^(?:verify|_gatsby|page-data)\b/.test(file),
  );
  for (const file of pages.map((name) => join(folder, name))) {
    const html = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      html.replace('<head>', `<head><meta name="analytics-endpoint" content="${address}"/>`),
    );
  }
}
