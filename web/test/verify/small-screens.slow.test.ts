/**
 * The hosted page in Chromium on small screens: what must be seen without scrolling, and what nothing may hide.
 *
 * Slow: it opens the page of checks in a browser for each size.
 */
import type { Locator } from 'playwright-core';
import texts from '../../content/verify/en.json';
import { button, consent, focused, gateway, newContext, open, page, sees, setUpStage } from './stage';

setUpStage();

const LIGHT = { colors: ['#ffb040', '#40a0ff'], colorMs: 600 };

async function boxOf(part: Locator) {
  const { x = 0, y = 0, width = 0, height = 0 } = (await part.boundingBox()) ?? {};
  return { left: x, top: y, right: x + width, bottom: y + height, width, height };
}

const resize = (width: number, height: number) => newContext({ viewport: { width, height } });

describe.each([
  [320, 568],
  [390, 844],
  [1280, 800],
])('on %d x %d', (width, height) => {
  beforeEach(() => resize(width, height));

  test('the warning of changing colors is directly above the checkbox, and nothing covers it', async () => {
    gateway.light = LIGHT;
    await open();
    await sees('consent');
    await page.getByRole('checkbox').scrollIntoViewIfNeeded();
    const warning = await boxOf(page.getByText(texts.light.text));
    const label = await boxOf(page.locator('label.consent'));
    expect(warning.bottom).toBeLessThanOrEqual(label.top);
    expect(label.top - warning.bottom).toBeLessThan(40);
    expect(await page.locator('form').evaluate((form) => getComputedStyle(form).position)).toBe('static');
  });

  test('the button for people who cannot do the movements is not hidden while it has the focus', async () => {
    await open();
    await sees('consent');
    await page.keyboard.press('Tab');
    expect((await focused()).text).toBe(texts.stillness.action);
    const visible = await button(texts.stillness.action).evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const root = element.getRootNode() as ShadowRoot;
      const middle = (left + right) / 2;
      return [top + 1, bottom - 1].map((y) => root.elementFromPoint(middle, y) === element);
    });
    expect(visible).toEqual([true, true]);
  });
});

test.each([
  [390, 844],
  [390, 664],
  [1280, 800],
])('the text about the data is visible above the checkbox on %d x %d', async (width, height) => {
  await resize(width, height);
  await open();
  await sees('consent');
  const heading = await boxOf(page.getByRole('heading', { name: texts.consent.details }));
  const responsible = await boxOf(page.locator('.data dd').first());
  const form = await boxOf(page.locator('form'));
  expect(heading.top).toBeGreaterThan(0);
  expect(responsible.bottom).toBeLessThanOrEqual(form.top);
  expect(form.bottom).toBeLessThanOrEqual(height);
});

test('the consent does not cover the text of a small phone', async () => {
  await resize(320, 568);
  await open();
  await sees('consent');
  expect(await page.locator('form').evaluate((form) => getComputedStyle(form).position)).toBe('static');
});

test.each([
  [568, 320],
  [667, 375],
  [844, 390],
  // 1280 x 1024 at a zoom of 400 %.
  [320, 256],
])('image and guidance of a capture fit side by side on %d x %d', async (width, height) => {
  await resize(width, height);
  gateway.guidance = 'offCentre';
  await open();
  await sees('consent');
  await consent();
  const guidance = page.locator('.guidance').filter({ hasText: texts.guidance[4]?.text ?? '' });
  await guidance.waitFor();
  const [image, text] = [await boxOf(page.locator('.stage')), await boxOf(guidance)];
  for (const box of [image, text]) {
    expect(box.top).toBeGreaterThanOrEqual(0);
    expect(box.bottom).toBeLessThanOrEqual(height);
  }
  expect(text.right).toBeLessThanOrEqual(image.left);
  expect(image.height).toBeGreaterThan(height / 3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
});

test.each([
  [568, 320],
  [667, 375],
])('the buttons of an offer are visible without scrolling on %d x %d', async (width, height) => {
  await resize(width, height);
  gateway.guidance = 'tooFar';
  await open();
  await sees('consent');
  await consent();
  const way = page.locator('.offer').getByRole('button').last();
  await way.waitFor();
  expect((await boxOf(way)).bottom).toBeLessThanOrEqual(height);
});

test.each([
  [568, 320],
  [320, 256],
])('the image stays beside an offer on %d x %d', async (width, height) => {
  await resize(width, height);
  gateway.guidance = 'tooFar';
  await open();
  await sees('consent');
  await consent();
  await gateway.called('frame', 2);
  const before = await boxOf(page.locator('.stage'));
  const way = page.locator('.offer').getByRole('button').last();
  await way.waitFor();
  await way.scrollIntoViewIfNeeded();
  const [image, offer] = [await boxOf(page.locator('.stage')), await boxOf(way)];
  expect([image.width, image.height]).toEqual([before.width, before.height]);
  for (const box of [image, offer]) {
    expect(box.top).toBeGreaterThanOrEqual(0);
    expect(box.bottom).toBeLessThanOrEqual(height);
  }
});
