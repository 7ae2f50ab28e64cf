/**
 * The example apps in gateway/contract/apps: their code parses, only their backends have the API key, and the guides
 * quote them instead of having code of their own.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { codeBlocksOf } from '../../gateway/test/code-blocks';
import { type LanguageName, syntaxErrors } from '../../gateway/test/syntax';
import { fillQuotes } from '../gatsby/quotes.mjs';

const FOLDER = join(__dirname, '../../gateway/contract/apps');
const GUIDES = join(__dirname, '../content/docs');
const LANGUAGES: Record<string, LanguageName> = {
  '.dart': 'dart',
  '.java': 'java',
  '.js': 'javascript',
  '.kt': 'kotlin',
  '.kts': 'kotlin',
  '.mjs': 'javascript',
  '.php': 'php',
  '.py': 'python',
  '.swift': 'swift',
};
/** Adults read about 200 to 230 words of plain text a minute. Code counts as text. */
const WORDS_A_MINUTE = 210;

const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(join(FOLDER, file)).isFile(),
);
const sources = files.flatMap((file) => {
  const language = LANGUAGES[extname(file)];
  return language === undefined ? [] : [{ file, language }];
});
const guideOf = (app: string) => readFileSync(join(GUIDES, app, 'api-integration.mdx'), 'utf8');

describe.each(['android', 'flutter', 'ios', 'web'])('the guide for %s', (app) => {
  const guide = guideOf(app);

  test('has no code of its own except commands', () => {
    const literalBlocks = codeBlocksOf(join(GUIDES, app, 'api-integration.mdx')).filter(
      ({ language, code }) => language !== 'bash' && guide.includes(code.trim()),
    );
    expect(literalBlocks).toEqual([]);
    expect(fillQuotes(guide)).not.toMatch(/region|file=/);
  });

  test('leads to a working integration in under five minutes', () => {
    const path = guide
      .split(/^(?=## )/m)
      .filter((part) => /^## (How it works|Run the example|Read the code|Complete integration)\n/.test(part));
    // Details are for readers of another language.
    const shown = fillQuotes(path.join('')).replace(/<details>[\s\S]*?<\/details>/g, '');
    const wordCount = shown.split(/\s+/).filter((word) => /\w/.test(word)).length;
    expect(wordCount).toBeGreaterThan(WORDS_A_MINUTE);
    expect(wordCount).toBeLessThan(5 * WORDS_A_MINUTE);
  });
});

test('a block that quotes nothing is an error that names it', () => {
  const filled = (meta: string, code = '') => fillQuotes(`\`\`\`js ${meta}\n${code}\`\`\``);
  expect(filled('file=web/node/server.mjs region=verify')).toMatch(
    /^```js\n\/\*\* @param body raw[\s\S]*}\n```$/,
  );
  expect(() => filled('file=web/node/server.mjs region=nowhere')).toThrow(
    'A page quotes the region "nowhere" of gateway/contract/apps/web/node/server.mjs, which has no such region.',
  );
  expect(() => filled('file=web/none.mjs')).toThrow(
    'gateway/contract/apps/web/none.mjs, which cannot be read',
  );
  expect(() => filled('file=web/node/server.mjs lines=1-2')).toThrow('file=PATH region=NAME, not "file=');
  expect(() => filled('file=web/node/server.mjs', 'stop();\n')).toThrow('has code of its own');
});

test.each(sources)('$file parses', async ({ file, language }) => {
  expect(await syntaxErrors(language, read(file))).toEqual([]);
});

test('only the backends have the API key', () => {
  const withKey = files.filter(
    (file) => !file.endsWith('.md') && /API_KEY|Authorization|Bearer/.test(read(file)),
  );
  const backends = [
    'go/server.go',
    'node/detect.mjs',
    'node/server.mjs',
    'php/server.php',
    'python/server.py',
  ];
  expect(withKey.sort()).toEqual(backends.map((file) => `web/${file}`));
});
