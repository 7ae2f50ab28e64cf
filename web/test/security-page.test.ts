/** The tests that the threat model lists as proofs exist under their titles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningSite, startSite } from '../../gateway/harness/index.mjs';
import { contact } from '../content/site.json';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'web/content/docs/operations/security.mdx'), 'utf8');
const proofs = [...page.matchAll(/^- `([\w./-]+\.test\.ts)`: “([^”]+)”/gm)].map(
  ([, file = '', title = '']) => [title, file] as const,
);

test('the threat model has proofs, all in the format that this test reads', () => {
  expect(proofs.length).toBeGreaterThan(40);
  expect(page.match(/\.test\.ts/g)).toHaveLength(proofs.length);
});

test.each(proofs)('“%s” is in %s', (title, file) => {
  // Titles in code are quoted; quotes inside may be of either kind.
  const code = readFileSync(join(root, file), 'utf8');
  expect(code.includes(`'${title}'`) || code.includes(`"${title}"`)).toBe(true);
});

test('each of the ten threats has a row with a proof', () => {
  const rows = page.split(/^### /m).slice(1, 11);
  expect(rows.map((row) => /^API(\d+)/.exec(row)?.[1])).toEqual(
    Array.from({ length: 10 }, (_, i) => `${i + 1}`),
  );
  for (const row of rows) expect(row).toMatch(/^- `[\w./-]+\.test\.ts`/m);
});

describe('security.txt', () => {
  let site: RunningSite;
  let text: string;
  beforeAll(async () => {
    site = await startSite();
    const response = await fetch(`${site.url}/.well-known/security.txt`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ]);
    text = await response.text();
  });
  afterAll(() => site.stop());

  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1];

  test('contains the support address, like the repository’s SECURITY.md', () => {
    expect(field('Contact')).toBe(`mailto:${contact.support}`);
    expect(readFileSync(join(root, 'SECURITY.md'), 'utf8')).toContain(contact.support);
  });

  test('expires within a year of the build, as RFC 9116 recommends', () => {
    const days = (Date.parse(field('Expires') ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(0);
    expect(days).toBeLessThan(365);
  });

  test('links to an existing section', async () => {
    const { pathname, hash } = new URL(field('Policy') ?? '');
    const html = await (await fetch(site.url + pathname)).text();
    expect(html).toContain(`id="${hash.slice(1)}"`);
  });
});
