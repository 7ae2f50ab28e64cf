/**
 * The built HTML is valid and has no broken links.
 *
 * Slow: it validates the markup of every page.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { type RunningSite, startSite } from '../../../gateway/harness/index.mjs';
import { addresses, readPage } from './built-site';

const ROOT = join(__dirname, '..', '..', '..');

/** Exceptions with their reasons. */
const EXCEPTIONS: Record<string, 'off' | ['error', object]> = {
  // React's style of attributes is equivalent.
  'attr-case': 'off',
  'attribute-boolean-style': 'off',
  'attribute-empty-style': 'off',
  'void-style': 'off',
  // Gatsby's announcer and focus wrapper have style attributes. The policy of each page lists their hashes.
  'no-inline-style': 'off',
  // Ids of Gatsby and React start with an underscore, which HTML allows.
  'valid-id': ['error', { relaxed: true }],
  // Adjacent lists have labels.
  'aria-label-misuse': ['error', { allowAnyNamable: true }],
  // CSS Modules generate class names.
  'class-pattern': 'off',
  // These rules do not matter for generated HTML.
  'no-trailing-whitespace': 'off',
  'long-title': 'off',
  // Safari needs the redundant role on lists without markers. Links may be phone numbers.
  'no-redundant-role': 'off',
  'tel-non-breaking': 'off',
};

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    elements: ['html5'],
    rules: EXCEPTIONS,
  }),
);

test.each(addresses)('%s is valid HTML', async (address) => {
  const { results } = await validator.validateString(readPage(address));
  const problems = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId} ${line}:${column} ${message}`),
  );
  expect(problems).toEqual([]);
});

test('invalid HTML is detected', async () => {
  const { valid } = await validator.validateString('<p><h1>A heading in a paragraph</h1></p>');
  expect(valid).toBe(false);
});

describe('links', () => {
  const cli = join(ROOT, 'node_modules', 'linkinator', 'build', 'src', 'cli.js');
  let site: RunningSite;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.stop());

  test('all links and fragments work', async () => {
    const seen = await followLinks(site.url);
    expect(seen.filter(({ state }) => state === 'BROKEN')).toEqual([]);
    const arrived = new Set(seen.map(({ url }) => new URL(url).pathname.replace(/(.)\/$/, '$1')));
    const unlinked = addresses.filter((address) => !arrived.has(address));
    // Only API responses link to the verification page.
    expect(unlinked).toEqual(['/verify']);
  });

  interface Link {
    readonly url: string;
    readonly state: string;
    readonly parent?: string;
  }

  /** Follows links within the site. External links and canonical addresses are skipped. */
  async function followLinks(url: string): Promise<Link[]> {
    // The feed of incidents leads to the API.
    const elsewhere = `^(?!${url})|/status\\.atom$`;
    const args = [cli, url, '--recurse', '--check-fragments', '--format', 'json', '--skip', elsewhere];
    const run = promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
    // The exit status 1 means broken links, which the output lists.
    const { stdout } = await run.catch((error: { code: number; stdout: string }) => {
      if (error.code !== 1) throw error;
      return error;
    });
    return JSON.parse(stdout.slice(stdout.indexOf('{'))).links;
  }
});
