/** The hosted page in Chromium: a check from consent to the return address. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import texts from '../../content/verify/en.json';
import { button, consent, focused, gateway, open, page, requests, sees, setUpStage, site } from './stage';

setUpStage();

const PUBLIC = join(__dirname, '../../public');

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
      const text = texts.movements.find((movement) => movement.name === name)?.text;
      await page.getByRole('heading', { level: 1, name: text as string }).waitFor();
    }
    gateway.heldAt = Number.POSITIVE_INFINITY;
    await sees('ended.completed');

    expect([...new Set(gateway.calls)]).toEqual(['start', 'begin', 'frame', 'complete']);
    expect(gateway.frames.length).toBeGreaterThanOrEqual(16);
    const back = page.getByRole('link', { name: texts.return.action });
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
    await button(texts.consent.action).click();
    await page.getByText(texts.consent.missing).waitFor();
    expect(await focused()).toMatchObject({ tag: 'INPUT' });
    expect(gateway.count('begin')).toBe(0);
  });

  test('shows guidance', async () => {
    gateway.guidance = 'tooDark';
    await open();
    await sees('consent');
    await consent();
    const text = texts.guidance.find(({ name }) => name === 'tooDark')?.text as string;
    await page.getByRole('status').filter({ hasText: text }).waitFor();
  });
});

test('the page loads at most 25 KB of scripts, and nothing of Gatsby', async () => {
  await open();
  await sees('consent');
  const scripts = requests.map((address) => new URL(address).pathname).filter((path) => path.endsWith('.js'));
  expect(scripts.sort()).toEqual(['/liveness/index.js', '/verify.js']);
  const bytes = scripts.map((path) => statSync(join(PUBLIC, `${path}.gz`)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(25 * 1024);
});
