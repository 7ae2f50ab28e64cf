/** The hosted page in Chromium: accessibility and layout. */
import texts from '../../content/verify/en.json';
import { violations } from '../visit';
import { failCamera } from './browser';
import { button, consent, gateway, newContext, open, page, sees, setUpStage } from './stage';

setUpStage();

describe.each(['light', 'dark'] as const)('for assistive technology, in %s', (colorScheme) => {
  beforeEach(() => newContext({ colorScheme, reducedMotion: 'reduce' }));

  test('axe finds no violations in consent, capture, retry and end', async () => {
    gateway.outcome = { status: 'started', hint: 'oneFace' };
    gateway.branding = { name: 'Example Bank' };
    gateway.stuck = true;
    await open();
    await sees('consent');
    await button(texts.consent.action).click();
    expect(await violations(page)).toEqual([]);
    await consent();
    await gateway.called('frame', 3);
    expect(await violations(page)).toEqual([]);
    gateway.stuck = false;
    await sees('retry.oneFace');
    expect(await violations(page)).toEqual([]);
    gateway.outcome = { status: 'completed' };
    await button('Try again').click();
    await sees('ended.completed');
    expect(await violations(page)).toEqual([]);
  });

  test('axe finds no violations with a blocked camera', async () => {
    await failCamera(page, { name: 'NotFoundError', message: '' });
    await open();
    await sees('consent');
    await consent();
    await sees('cameraProblem.none');
    expect(await violations(page)).toEqual([]);
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

  test('nothing is clipped, and a capture needs no scrolling', async () => {
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

  test('text fits at double size', async () => {
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
