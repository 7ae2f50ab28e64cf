/**
 * The hosted page in Chromium: the keyboard and the focus, branding, and links that change while it is open.
 *
 * Slow: it opens the page anew for each of its tests.
 */
import texts from '../../content/verify/en.json';
import { consent, focused, gateway, headingOf, open, page, sees, setUpStage } from './stage';

setUpStage();

describe('a check', () => {
  test('works with the keyboard alone', async () => {
    await open();
    await sees('consent');
    const order: (string | undefined)[] = [];
    for (let presses = 0; presses < 3; presses++) {
      await page.keyboard.press('Tab');
      order.push((await focused()).tag);
    }
    // The button for people who cannot do the movements comes first.
    expect(order).toEqual(['BUTTON', 'INPUT', 'BUTTON']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sees('ended.completed');
  });

  test('moves the focus to the heading of each view', async () => {
    gateway.outcome = { status: 'started', hint: 'lighting' };
    await open();
    await sees('consent');
    expect((await focused()).text).toBe(texts.consent.heading);
    await consent();
    await sees('retry.lighting');
    expect((await focused()).text).toBe(headingOf('retry.lighting'));
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

  test('works without storage', async () => {
    await page.addInitScript(() =>
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      }),
    );
    await open();
    await sees('consent');
    expect(new URL(page.url()).hash).toBe('');
  });

  test('does not fall back to the previous link when malformed', async () => {
    await open();
    await sees('consent');
    await page.evaluate(() => {
      window.location.hash = 'broken';
    });
    await sees('blocked.linkInvalid');
  });

  test('follows another link in the same tab', async () => {
    await open('broken');
    await sees('blocked.linkInvalid');
    await page.evaluate((link) => {
      window.location.hash = link;
    }, gateway.link);
    await sees('consent');
  });
});
