/**
 * The reference in Chromium: the current section, and samples in the chosen language.
 *
 * Slow: Chromium scrolls, jumps and copies on the largest page of the site.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type RunningSite, startSite } from '../../../gateway/harness/index.mjs';
import texts from '../../content/code.json';
import { launch } from '../chromium';
import { addresses } from '../quality/built-site';

/** The distance of an anchored section from the top of the window. */
const OFFSET_PX = 100;
const PATH = '/docs/api-reference';
const REFERENCE = addresses.filter((path) => path.startsWith(PATH));

let browser: Browser;
let site: RunningSite;
let page: Page;

beforeAll(async () => {
  [browser, site] = await Promise.all([launch(), startSite()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});
afterEach(() => page.context().close());

/** @param address below the first page, such as `/detect#detect-faces` */
async function open(address = '', options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  page = await context.newPage();
  await page.goto(site.url + PATH + address);
  if (options.javaScriptEnabled !== false) await page.waitForFunction(isHydrated);
}

/** Whether React has hydrated the tabs or, on a page without tabs, the header; before that, key presses are lost. */
function isHydrated() {
  const tab = document.querySelector('[role=tab], header button');
  return tab !== null && Object.keys(tab).some((key) => key.startsWith('__reactProps'));
}

/** Waits until a heading is at the offset, within a pixel. */
const restsAt = (id: string) =>
  page.waitForFunction(
    ([name, offset]) =>
      Math.abs((document.getElementById(name)?.getBoundingClientRect().top ?? 0) - offset) <= 1,
    [id, OFFSET_PX] as const,
  );
const hashIs = (hash: string) => page.waitForFunction((wanted) => location.hash === wanted, hash);
const current = () => page.locator('nav [aria-current="location"]:visible');
const scrollTo = (id: string) =>
  page.evaluate((name) => {
    const top = document.getElementById(name)?.getBoundingClientRect().top ?? 0;
    window.scrollBy(0, top - 50);
  }, id);

describe('sections', () => {
  test('the page scrolls to the section of the address, below the header, and marks it', async () => {
    await open('#compare');
    await restsAt('compare');
    await current().filter({ hasText: 'Compare' }).waitFor();
  });

  test('the address stays unchanged while the page scrolls to its section', async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => {
      const replace = history.replaceState.bind(history);
      const hashes: string[] = [];
      history.replaceState = (state, unused, url) => {
        replace(state, unused, url);
        hashes.push(location.hash);
      };
      Object.assign(window, { hashes });
    });
    page = await context.newPage();
    await page.goto(`${site.url}${PATH}#detect`);
    await restsAt('detect');
    await current().filter({ hasText: 'Detect' }).waitFor();
    const hashes = await page.evaluate(() => (window as unknown as { hashes: string[] }).hashes);
    expect(hashes.filter((hash) => hash !== '#detect')).toEqual([]);
  });

  test.each(['/pricing', '/support/faq', PATH])('a malformed fragment is ignored: %s', async (path) => {
    const context = await browser.newContext();
    page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    await page.goto(`${site.url}${path}#%E0%A4%A`, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test('scrolling updates the address without new history entries', async () => {
    await open();
    const before = await page.evaluate(() => history.length);
    for (const id of ['liveness', 'errors', 'webhooks']) {
      await scrollTo(id);
      await hashIs(`#${id}`);
      await current()
        .and(page.locator(`[href$="#${id}"]`))
        .waitFor();
    }
    expect(await page.evaluate(() => history.length)).toBe(before);
    await page.evaluate(() => window.scrollTo(0, 0));
    await hashIs('');
  });

  test('an anchor within a section stays in the address while the section is current', async () => {
    await open('/webhooks#event-session-failed');
    await restsAt('event-session-failed');
    await page.mouse.wheel(0, 30);
    expect(await page.evaluate(() => location.hash)).toBe('#event-session-failed');
  });

  test('arrival at an anchor jumps there, also in a closed disclosure', async () => {
    const context = await browser.newContext({ reducedMotion: 'no-preference' });
    await context.addInitScript(() => {
      const behaviors: string[] = [];
      const note = () => behaviors.push(getComputedStyle(document.documentElement).scrollBehavior);
      addEventListener('scroll', note);
      Object.assign(window, { behaviors });
    });
    page = await context.newPage();
    await page.goto(`${site.url}${PATH}/hosted-page#send-liveness-frame`);
    await restsAt('send-liveness-frame');
    await page.locator('#send-liveness-frame[open]').waitFor();
    await current().filter({ hasText: 'The hosted page' }).waitFor();
    // The next page of the site, too, though a click on a section of the same page is animated.
    await page.goto(`${site.url}${PATH}`);
    await page.locator('#lock-outs').click();
    await restsAt('lock-outs');
    const behaviors = await page.evaluate(() => (window as unknown as { behaviors: string[] }).behaviors);
    expect(new Set(behaviors)).toEqual(new Set(['auto']));
    await current().filter({ hasText: 'Lock-outs' }).waitFor();
  });

  test('a sidebar link scrolls to its section, animated unless motion is reduced', async () => {
    await open();
    await page.getByRole('link', { name: 'Moderate', exact: true }).first().click();
    await restsAt('moderate');
    await hashIs('#moderate');
    const behavior = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
    expect(await behavior()).toBe('auto');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await behavior()).toBe('smooth');
  });
});

describe('samples', () => {
  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  const group = (id: string) => page.locator(`section[aria-labelledby="${id}"]`);

  test('a language applies to all groups without moving the tabs, and is stored for the next visit', async () => {
    await open('#detect');
    await restsAt('detect');
    const example = (name: string) => page.getByRole('region', { name });
    const chosen = example('Detect faces in an image').getByRole('tab', { name: 'Python' });
    const before = (await chosen.boundingBox())?.y;
    await chosen.click();
    expect((await chosen.boundingBox())?.y).toBeCloseTo(before ?? -1, 0);
    const selected = page.getByRole('tab', { selected: true });
    expect(new Set(await selected.allTextContents())).toEqual(new Set(['Python']));
    await expect(
      example('Compare the faces of two images').getByRole('tabpanel').textContent(),
    ).resolves.toContain('import base64');

    await page.goto(`${site.url}${PATH}/detect`);
    expect(await page.evaluate(() => document.documentElement.dataset.code)).toBe('python');
    await expect(group('detect-faces').getByRole('tabpanel').textContent()).resolves.toContain(
      'import base64',
    );
  });

  test('arrow keys, Home and End select tabs, which form a single tab stop', async () => {
    await open('/conventions');
    const tabs = group('get-health').getByRole('tab');
    await tabs.first().focus();
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    for (const [key, name] of [
      ['ArrowRight', 'Node.js'],
      ['End', 'iOS Swift'],
      ['ArrowRight', 'cURL'],
      ['ArrowLeft', 'iOS Swift'],
      ['Home', 'cURL'],
    ]) {
      await page.keyboard.press(key as string);
      expect(await focused()).toBe(name);
    }
    expect(await tabs.evaluateAll((all) => all.map(({ tabIndex }) => tabIndex))).toEqual([
      0, -1, -1, -1, -1, -1, -1,
    ]);
    await expect(tab('cURL').first().getAttribute('aria-selected')).resolves.toBe('true');
  });

  test('the copy button copies the visible sample and confirms it', async () => {
    await open('/usage', { permissions: ['clipboard-read', 'clipboard-write'] });
    await group('get-usage').getByRole('tab', { name: 'Java' }).click();
    await group('get-usage').getByRole('tab', { name: 'Java', selected: true }).waitFor();
    await group('get-usage').getByRole('button', { name: texts.copy }).click();
    await group('get-usage').getByRole('status').filter({ hasText: texts.copied }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^\/\/ Java[\s\S]*class GetUsage[\s\S]*\}$/);
  });

  test('without scripts all languages are visible with their names and without controls', async () => {
    await open('/detect', { javaScriptEnabled: false });
    const panels = group('detect-faces').getByRole('tabpanel', { includeHidden: true });
    expect(await panels.count()).toBe(7);
    for (const panel of await panels.all()) expect(await panel.isVisible()).toBe(true);
    expect(await page.locator('[role=tab]:visible').count()).toBe(0);
    expect(await page.getByRole('button', { name: texts.copy }).count()).toBe(0);
  });

  test.each([390, 768, 1280])('no content and no code is cut off in a window of %i px', async (width) => {
    await open('', { viewport: { width, height: 900 } });
    for (const path of REFERENCE) {
      await page.goto(site.url + path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      expect([path, await page.evaluate(findCutOff)]).toEqual([path, []]);
    }
  });
});

/** Code that ends outside its box, where no scrolling reaches it. Runs in the page. */
function findCutOff(): string[] {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = true;
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const isCutOff = (code: Element) => {
    let box = code.parentElement as Element;
    const { right } = code.getBoundingClientRect();
    while (!scrolls(box) && box.tagName !== 'MAIN') {
      if (right > box.getBoundingClientRect().right + 1) return true;
      box = box.parentElement as Element;
    }
    return box.tagName === 'MAIN' && right > innerWidth;
  };
  return [...document.querySelectorAll('main code')].filter(isCutOff).map(({ textContent }) => textContent);
}
