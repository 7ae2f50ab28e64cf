/** The guides show the code of the example apps in gateway/contract/apps. The code parses and contains no API key. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { codeBlocksOf } from '../../gateway/test/code-blocks';
import { type LanguageName, syntaxErrors } from '../../gateway/test/syntax';

const FOLDER = join(__dirname, '../../gateway/contract/apps');
const GUIDES = join(__dirname, '../content/docs');
const LANGUAGES: Record<string, LanguageName> = {
  '.dart': 'dart',
  '.java': 'java',
  '.kt': 'kotlin',
  '.kts': 'kotlin',
  '.mjs': 'javascript',
  '.py': 'python',
  '.swift': 'swift',
};

const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(join(FOLDER, file)).isFile(),
);
const sources = files.flatMap((file) => {
  const language = LANGUAGES[extname(file)];
  return language === undefined ? [] : [{ file, language }];
});
const apps = ['android', 'flutter', 'ios'];
/** Parts of a file are less indented in a guide. */
const withoutIndentation = (text: string) => text.replace(/^[ \t]+/gm, '');

test.each(apps)('every code block of the guide for %s is part of its app', (app) => {
  const texts = files
    .filter((file) => file.startsWith(`${app}/`) || file.startsWith('backend/'))
    .map((file) => withoutIndentation(read(file)));
  const blocks = codeBlocksOf(join(GUIDES, app, 'api-integration.mdx'));
  expect(blocks).not.toEqual([]);
  const isInApp = (code: string) => texts.some((text) => text.includes(withoutIndentation(code)));
  expect(blocks.filter(({ code }) => !isInApp(code))).toEqual([]);
});

test.each(sources)('$file parses', async ({ file, language }) => {
  expect(await syntaxErrors(language, read(file))).toEqual([]);
});

test('only the backend has the API key', () => {
  const withKey = files.filter((file) => /API_KEY|Authorization|Bearer/.test(read(file)));
  expect(withKey.sort()).toEqual(['backend/server.mjs', 'backend/server.py']);
});
