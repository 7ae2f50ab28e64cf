/** The code of the documentation parses. samples/replay.slow.test.ts runs it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import openapi from '@presenza/contract/openapi.json';
import { codeBlocksOf } from '../../gateway/test/code-blocks';
import { type LanguageName, syntaxErrors } from '../../gateway/test/syntax';

const CONTENT = join(__dirname, '..', 'content', 'docs');
const PAGES = readdirSync(CONTENT, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.mdx'),
);
const PARSED = new Set(['bash', 'dart', 'java', 'javascript', 'kotlin', 'php', 'python', 'swift']);

const blocks = PAGES.flatMap((page) =>
  codeBlocksOf(join(CONTENT, page)).map((block) => ({ page, ...block })),
);
const inLanguages = blocks.filter(({ language }) => PARSED.has(language));

test('platform pages contain code in their languages', () => {
  const languages = new Set(inLanguages.map(({ language }) => language));
  expect(languages).toEqual(PARSED);
});

test.each(inLanguages)('$page: a block of $language parses', async ({ language, code }) => {
  const text = language === 'php' ? `<?php\n${code}` : code;
  expect(await syntaxErrors(language as LanguageName, text)).toEqual([]);
});

test('a broken block does not parse', async () => {
  expect(await syntaxErrors('swift', 'func a( {')).not.toEqual([]);
});

test('the signature headers are those of the service', () => {
  const named = blocks.flatMap(
    ({ code }) => code.match(/\b(x-[a-z]+-signature|webhook-(?!receivers\b)[a-z]+)\b/gi) ?? [],
  );
  const sent = [brand.signatureHeader, 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  expect(Object.keys(openapi.components.parameters)).toEqual(expect.arrayContaining(sent));
  const lowerCase = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));
  expect(lowerCase(named)).toEqual(lowerCase(sent));
});
