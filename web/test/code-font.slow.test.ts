/**
 * The font of code in Chromium: its own file, its minimum size, and a fallback that takes the same space.
 *
 * Slow: Chromium measures each code block of the site.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { onePerTemplate } from './quality/built-site';
import { newVisit, setUpSite, site } from './stage';
import { DESKTOP, PHONE } from './visit';

const LEAST_PX = 13;
/** The verification page is a component with styles of its own, and the console needs its API. */
const pages = onePerTemplate.filter((address) => !['/verify', '/console'].includes(address));

setUpSite();

test.each([
  ['phone', PHONE],
  ['desktop', DESKTOP],
])('code has at least 13 px on a %s', async (_, viewport) => {
  const { page } = await newVisit({ viewport });
  let count = 0;
  for (const address of pages) {
    await page.goto(site.url + address);
    const sizes = await page
      .locator('code, pre')
      .evaluateAll((all) =>
        all.map((code) => ({ size: parseFloat(getComputedStyle(code).fontSize), text: code.textContent })),
      );
    expect(sizes.filter(({ size }) => size < LEAST_PX).map(({ text }) => `${address}: ${text}`)).toEqual([]);
    count += sizes.length;
  }
  expect(count).toBeGreaterThan(100);
});

const FALLBACK = 'Mono Fallback';
/** A font of 0.6 em, as all fonts are that the fallback names. */
const STAND_IN = readFileSync(
  require.resolve('@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2'),
);

/**
 * Lets the fallback use a stand-in, with the metrics that the style sheet declares, on a machine that has none of the
 * fonts that the fallback names. There, a reader gets the machine's own font, whose size no page can know.
 */
const ensureFallback = (page: Page) =>
  page.evaluate(
    async ([family, standIn]) => {
      const rule = [...document.styleSheets]
        .flatMap(({ cssRules }) => [...cssRules])
        .find((each) => each instanceof CSSFontFaceRule && each.style.fontFamily.includes(family));
      const { style } = rule as CSSFontFaceRule;
      const declared = (name: string, otherwise = 'normal') => style.getPropertyValue(name) || otherwise;
      const isThere = await new FontFace('probe', declared('src')).load().catch(() => undefined);
      if (isThere) return;
      const face = new FontFace(
        family,
        Uint8Array.from(atob(standIn), (char) => char.charCodeAt(0)),
        {
          ascentOverride: declared('ascent-override'),
          descentOverride: declared('descent-override'),
          lineGapOverride: declared('line-gap-override'),
        },
      );
      document.fonts.add(await face.load());
    },
    [FALLBACK, STAND_IN.toString('base64')] as const,
  );

test('code has a font of the site, and takes the same room before it arrives', async () => {
  const measure = async (isBlocked: boolean) => {
    const { context, page, requests } = await newVisit({ viewport: PHONE });
    if (isBlocked) await context.route('**/jetbrains-mono-*', (route) => route.abort());
    await page.goto(`${site.url}/docs/get-started`);
    if (isBlocked) await ensureFallback(page);
    const isLoaded = await page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].some(
        ({ family, status }) => /JetBrains Mono/.test(family) && status === 'loaded',
      );
    });
    const boxes = await page.locator('main code, main pre').evaluateAll((all) =>
      all.map((code) => {
        const { width, height } = code.getBoundingClientRect();
        return { width, height };
      }),
    );
    return { isLoaded, boxes, requests };
  };
  const loaded = await measure(false);
  const fallback = await measure(true);
  expect(loaded.isLoaded).toBe(true);
  expect(loaded.requests.filter((url) => !url.startsWith(site.url))).toEqual([]);
  expect(fallback.isLoaded).toBe(false);
  expect(loaded.boxes.length).toBeGreaterThan(20);
  loaded.boxes.forEach(({ width, height }, position) => {
    expect(fallback.boxes[position]?.height).toBeCloseTo(height, 0);
    expect(Math.abs(width - (fallback.boxes[position]?.width ?? 0))).toBeLessThan(1);
  });
});
