/** The hosted page in Chromium: a check from consent to the return address. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import words from '../../content/verify.json';
import { button, consent, gateway, headingOf, open, page, requests, sees, setUpStage, site } from './stage';

setUpStage();

const PUBLIC = join(__dirname, '../../public');
/** Weight of Gatsby, React, header and footer without this page, gzipped. */
const GATSBY_BYTES = 91_546;

describe('a check', () => {
  test('runs from consent through all steps to the return address', async () => {
    gateway.returnUrl = 'https://app.example.com/done?user=1';
    await open();
    await sees('consent');
    expect(new URL(page.url()).hash).toBe('');
    gateway.heldAt = 0;
    await consent();
    for (const [index, name] of gateway.movements.entries()) {
      // Otherwise a slow machine could miss the step.
      gateway.heldAt = index;
      const text = words.movements.find((movement) => movement.name === name)?.text;
      await page.getByRole('heading', { level: 1, name: text as string }).waitFor();
    }
    gateway.heldAt = Number.POSITIVE_INFINITY;
    await sees('ended.completed');

    expect([...new Set(gateway.calls)]).toEqual(['start', 'begin', 'frame', 'complete']);
    expect(gateway.frames.length).toBeGreaterThanOrEqual(16);
    const back = page.getByRole('link', { name: words.return.action });
    expect(await back.getAttribute('href')).toBe(
      `https://app.example.com/done?user=1&sessionId=${gateway.sessionId}&status=completed`,
    );
    await page.route('https://app.example.com/**', (route) => route.fulfill({ body: 'back' }));
    await page.waitForURL(/^https:\/\/app\.example\.com\/done/);
  });

  test('sends requests only to the site and the gateway', async () => {
    await open();
    await sees('consent');
    await consent();
    await sees('ended.completed');
    const origins = new Set(requests.map((address) => new URL(address).origin));
    expect(origins).toEqual(new Set([site.url, gateway.url]));
    expect(requests.filter((address) => address.includes(gateway.link))).toEqual([]);
  });

  test('requires consent', async () => {
    await open();
    await sees('consent');
    await button(words.consent.action).click();
    await page.getByText(words.consent.missing).waitFor();
    expect(await page.getByRole('checkbox').evaluate((box) => box === document.activeElement)).toBe(true);
    expect(gateway.count('begin')).toBe(0);
  });

  test('works with the keyboard alone', async () => {
    await open();
    await sees('consent');
    const order: string[] = [];
    for (let presses = 0; presses < 2; presses++) {
      await page.keyboard.press('Tab');
      order.push(await page.evaluate(() => document.activeElement?.tagName ?? ''));
    }
    expect(order).toEqual(['INPUT', 'BUTTON']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sees('ended.completed');
  });

  test('moves the focus to the heading of each view', async () => {
    gateway.outcome = { status: 'started', hint: 'lighting' };
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await open();
    await sees('consent');
    expect(await focused()).toBe(words.consent.heading);
    await consent();
    await sees('retry.lighting');
    expect(await focused()).toBe(headingOf('retry.lighting'));
  });

  test('shows the account’s branding', async () => {
    gateway.branding = { name: 'Example Bank', colors: { accent: '#00684a', background: '#fff8ec' } };
    await open();
    await page.getByText('Example Bank asks you to complete this check.').waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 248, 236)',
    );
  });

  test('survives a reload without the link in the address bar', async () => {
    await open();
    await sees('consent');
    await page.reload();
    await sees('consent');
    expect(gateway.count('start')).toBe(2);
    expect(gateway.count('cancel')).toBe(0);
  });

  test('follows another link in the same tab', async () => {
    await open('broken');
    await sees('blocked.linkInvalid');
    await page.evaluate((link) => {
      window.location.hash = link;
    }, gateway.link);
    await sees('consent');
  });

  test('shows guidance', async () => {
    gateway.guidance = 'tooDark';
    await open();
    await sees('consent');
    await consent();
    const text = words.guidance.find(({ name }) => name === 'tooDark')?.text as string;
    await page.getByRole('status').filter({ hasText: text }).waitFor();
  });
});

test('the page adds at most 26 KB of scripts to Gatsby', async () => {
  await open();
  await sees('consent');
  const scripts = requests.flatMap((address) => /\/([^/]+\.js)$/.exec(new URL(address).pathname)?.[1] ?? []);
  const bytes = (names: string[]) =>
    names.reduce((sum, name) => sum + statSync(join(PUBLIC, `${name}.gz`)).size, 0);
  const own = scripts.filter((name) => !/^(?:app|framework|webpack-runtime)-/.test(name));
  expect(own.length).toBeGreaterThan(0);
  expect(bytes(own)).toBeLessThan(26 * 1024);
  expect(bytes(scripts)).toBeLessThan(GATSBY_BYTES + 26 * 1024);
});
