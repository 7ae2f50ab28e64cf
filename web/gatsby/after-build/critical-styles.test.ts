/** The styles that a page keeps in its HTML, and the file with all others. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCriticalStyles } from './critical-styles.mjs';

const folder = mkdtempSync(join(tmpdir(), 'presenza-styles-'));
const file = join(folder, 'index.html');
afterAll(() => rmSync(folder, { recursive: true }));

const [used, unused] = ['used--abcde1', 'unused--abcde2'];

/** Reduces a page whose body has one element of the used class. @returns its HTML */
async function reduced(css: string) {
  const complete = `<style data-href="/styles.abc123.css" data-identity="gatsby-global-css">${css}</style>`;
  writeFileSync(join(folder, 'styles.abc123.css'), css);
  writeFileSync(file, `<html><head>${complete}</head><body><p class="${used} x"></p></body></html>`);
  await writeCriticalStyles(folder);
  return readFileSync(file, 'utf8');
}

const styleOf = (html: string) => /<style>([^<]*)<\/style>/.exec(html)?.[1];

test.each([
  ['a rule for elements', 'p>a{color:red}', true],
  ['a rule for a class without a module', '.prose p{color:red}', true],
  ['a rule for a class of the page', `.${used}{color:red}`, true],
  ['a rule for a class of another page', `.${unused}{color:red}`, false],
  ['a rule that needs a class of another page', `.${used} .${unused}{color:red}`, false],
  ['a rule that excludes a class of another page', `.${used}:not(.${unused}){color:red}`, true],
  ['a list with one selector of the page', `.${unused},.${used}{color:red}`, true],
  ['a media query without rules for the page', `@media print{.${unused}{color:red}}`, false],
  ['a font', '@font-face{font-family:A;src:url(/a.woff2)}', true],
])('%s is kept only if the page can match it', async (_, css, isKept) => {
  expect(styleOf(await reduced(css))).toBe(isKept ? css : '');
});

test('a media query keeps the rules for the page only', async () => {
  const css = `@media print{.${unused}{color:red}.${used}{color:blue}}`;
  expect(styleOf(await reduced(css))).toBe(`@media print{.${used}{color:blue}}`);
});

test('the page links the complete file after its content, and a second run changes nothing', async () => {
  const html = await reduced(`.${used}{color:red}`);
  expect(html).toMatch(/<\/p><link rel="stylesheet" href="\/styles\.abc123\.css"\/><\/body>/);
  await writeCriticalStyles(folder);
  expect(readFileSync(file, 'utf8')).toBe(html);
});
