/** The hosted page in Chromium, for assistive technology and on screens of all sizes. */
import { readFileSync } from 'node:fs';
import words from '../../content/verify.json';
import { failCamera } from './browser';
import { button, consent, gateway, newContext, open, page, sees, setUpStage } from './stage';

setUpStage();

describe.each(['light', 'dark'] as const)('for assistive technology, in %s', (colorScheme) => {
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

  async function violations() {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { run } = (window as unknown as { axe: typeof import('axe-core') }).axe;
      const { violations } = await run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
  }

  beforeEach(() => newContext({ colorScheme, reducedMotion: 'reduce' }));

  test('consent, capture, retry and end have nothing that axe finds', async () => {
    gateway.outcome = { status: 'started', hint: 'oneFace' };
    gateway.branding = { name: 'Example Bank' };
    gateway.stuck = true;
    await open();
    await sees('consent');
    await button(words.consent.action).click();
    expect(await violations()).toEqual([]);
    await consent();
    await gateway.called('frame', 3);
    expect(await violations()).toEqual([]);
    gateway.stuck = false;
    await sees('retry.oneFace');
    expect(await violations()).toEqual([]);
    gateway.outcome = { status: 'completed' };
    await button('Try again').click();
    await sees('ended.completed');
    expect(await violations()).toEqual([]);
  });

  test('neither has a blocked camera', async () => {
    await failCamera(page, { name: 'NotFoundError', message: '' });
    await open();
    await sees('consent');
    await consent();
    await sees('cameraProblem.none');
    expect(await violations()).toEqual([]);
  });
});

describe.each([
  [390, 844],
  [360, 640],
  [768, 1024],
  [1280, 800],
  [844, 390],
])('on %d x %d', (width, height) => {
  beforeEach(() => newContext({ viewport: { width, height } }));

  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  test('nothing is cut off, and a capture needs no scrolling', async () => {
    gateway.stuck = true;
    await open();
    await sees('consent');
    expect(await overflow()).toBe(0);
    await consent();
    await gateway.called('frame', 2);
    expect(await overflow()).toBe(0);
    const stage = await page.locator('video').boundingBox();
    expect((stage?.y ?? 0) + (stage?.height ?? height)).toBeLessThanOrEqual(height);
    expect(stage?.width).toBeGreaterThan(180);
  });

  test('text of twice the size fits', async () => {
    gateway.stuck = true;
    await open();
    await sees('consent');
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '34px'));
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('34px');
    expect(await overflow()).toBe(0);
    await consent();
    await gateway.called('frame', 2);
    expect(await overflow()).toBe(0);
  });
});
