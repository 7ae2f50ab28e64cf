/** The built HTML by itself: it is valid, and every link in it arrives. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { type RunningSite, startSite } from '../../../deploy/local/harness/index.mjs';
import { addresses, readPage } from './built-site';

const ROOT = join(__dirname, '..', '..', '..');

/** What is left out, each with its reason. */
const EXCEPTIONS: Record<string, 'off' | ['error', object]> = {
  // React writes them its own way, and all ways mean the same.
  'attr-case': 'off',
  'attribute-boolean-style': 'off',
  'attribute-empty-style': 'off',
  'void-style': 'off',
  // Gatsby's announcer and its focus wrapper have style attributes; the policy of each page lists them by hash.
  'no-inline-style': 'off',
  // Gatsby and React make ids that begin with a line; all but space may stand in one.
  'valid-id': ['error', { relaxed: true }],
  // Lists have names where several follow one another.
  'aria-label-misuse': ['error', { allowAnyNamable: true }],
  // Names of CSS Modules.
  'class-pattern': 'off',
  // Generated HTML has no ends of lines to trim, and titles that search engines cut by themselves.
  'no-trailing-whitespace': 'off',
  'long-title': 'off',
  // Safari tells lists without markers as lists only where the role is repeated; links may be telephone numbers.
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
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId} ${line}:${column} ${message}`),
  );
  expect(found).toEqual([]);
});

test('HTML that is not valid is found', async () => {
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

  test('all arrive, with their fragments', async () => {
    const seen = await followLinks(site.url);
    expect(seen.filter(({ state }) => state === 'BROKEN')).toEqual([]);
    const arrived = new Set(seen.map(({ url }) => new URL(url).pathname.replace(/(.)\/$/, '$1')));
    const unlinked = addresses.filter((address) => !arrived.has(address));
    // Only from an API answer does somebody come here.
    expect(unlinked).toEqual(['/verify']);
  }, 120_000);

  interface Link {
    readonly url: string;
    readonly state: string;
    readonly parent?: string;
  }

  /** Within the site; others are left alone, and so are the canonical addresses of a site that is elsewhere. */
  async function followLinks(url: string): Promise<Link[]> {
    const elsewhere = `^(?!${url})`;
    const args = [cli, url, '--recurse', '--check-fragments', '--format', 'json', '--skip', elsewhere];
    const run = promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 });
    // Broken links are an exit status of 1; the answer on the output says which.
    const { stdout } = await run.catch((error: { code: number; stdout: string }) => {
      if (error.code !== 1) throw error;
      return error;
    });
    return JSON.parse(stdout.slice(stdout.indexOf('{'))).links;
  }
});
