/**
 * The hosted page in Chromium in a few languages. languages.check.ts has all languages and states.
 *
 * Slow: it opens the page of checks in each language.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import type english from '../../content/verify/en.json';
import { violations } from '../visit';
import { gateway, newContext, open, page, requests, sees, setUpStage } from './stage';

setUpStage();

type Locale = NonNullable<(typeof gateway.page)['locale']>;
type Texts = typeof english;

const textsOf = (locale: string): Texts =>
  JSON.parse(readFileSync(join(__dirname, '../../content/verify', `${locale}.json`), 'utf8'));

const loaded = () => requests.flatMap((address) => /\/words\/(.+)\.js$/.exec(address)?.[1] ?? []);

const controller = {
  name: 'Example Bank AG',
  privacyUrl: 'https://app.example.com/privacy',
  contact: 'privacy@example.com',
};
const alternative = { text: 'Visit a branch.', url: 'https://app.example.com/branches' };

const topics = () => page.locator('[data-name="consent"] dt').allTextContents();

const titlesWithout = (texts: Texts, omitted: readonly string[]) =>
  texts.consent.data.filter(({ name }) => !omitted.includes(name)).map(({ title }) => title);

test('the notice of a session without audit image, comparison and controller has none of them', async () => {
  await open();
  await sees('consent');
  expect(await topics()).toEqual(titlesWithout(textsOf('en'), ['controller', 'comparison', 'review']));
});

/** Pixels between the emblem and the name beside it, in either direction. */
const brandGap = () =>
  page.locator('[slot="brand"]').evaluate((brand) => {
    const boxOf = (node: Node) => {
      const range = document.createRange();
      range.selectNode(node);
      return range.getBoundingClientRect();
    };
    const [emblem, name] = [boxOf(brand.firstChild as Node), boxOf(brand.lastChild as Node)];
    return Math.max(emblem.left - name.right, name.left - emblem.right);
  });

/** The longest words, right to left, and the fewest spaces. */
test.each(['de', 'ar', 'zh-Hans'])(
  'the consent in %s fits on a phone and says what the law requires',
  async (locale) => {
    await newContext({ viewport: { width: 390, height: 700 }, reducedMotion: 'reduce' });
    gateway.page = {
      locale: locale as Locale,
      hasReference: true,
      controller,
      alternative,
      auditImageDays: 30,
    };
    await open();
    await sees('consent');
    const texts = textsOf(locale);
    const shown = await page.evaluate(() => [
      document.documentElement.lang,
      document.documentElement.dir,
      document.title,
    ]);
    expect(shown).toEqual([locale, texts.direction, texts.checkBy.replace('{brand}', brand.name)]);
    expect(await brandGap()).toBeGreaterThan(4);
    for (const part of [
      page.getByRole('checkbox'),
      page.getByRole('button', { name: texts.consent.action }),
    ]) {
      const box = await part.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(700);
    }
    const text = await page.locator('[data-name="consent"]').innerText();
    for (const part of [controller.name, controller.contact, alternative.text, texts.alternative.heading]) {
      expect(text).toContain(part);
    }
    expect(await topics()).toEqual(titlesWithout(texts, ['sender', 'images']));
    expect(text).not.toMatch(/[{}]/);
    expect(await page.getByRole('link', { name: texts.consent.privacy }).getAttribute('href')).toBe(
      controller.privacyUrl,
    );
    expect(loaded()).toEqual([locale]);
    expect(await violations(page)).toEqual([]);
  },
);

test.each([
  ['fr-CA', 'fr'],
  ['zh-CN', 'zh-Hans'],
])('a browser in %s gets the page in %s', async (locale, shown) => {
  await newContext({ locale });
  await open();
  await sees('consent');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe(shown);
  await page.getByRole('heading', { level: 1, name: textsOf(shown).consent.heading }).waitFor();
});

test('the session’s language wins over the browser’s, and is recorded with the consent', async () => {
  await newContext({ locale: 'fr-FR' });
  gateway.page = { locale: 'de' };
  const texts = textsOf('de');
  await open();
  await sees('consent');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: texts.consent.action, exact: true }).click();
  await sees('ended.completed');
  expect(gateway.begun).toMatchObject({ consentNotice: texts.consent.notice, consentLocale: 'de' });
});
