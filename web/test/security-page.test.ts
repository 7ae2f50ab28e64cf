/** The threat model names the tests that prove it: each is there, under that title. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningSite, startSite } from '../../deploy/local/harness/index.mjs';
import { contact } from '../content/site.json';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'web/content/docs/operations/security.mdx'), 'utf8');
const proofs = [...page.matchAll(/^- `([\w./-]+\.test\.ts)`: “([^”]+)”/gm)].map(
  ([, file = '', title = '']) => [title, file] as const,
);

test('there are proofs, and none is written in a way that this test passes over', () => {
  expect(proofs.length).toBeGreaterThan(40);
  expect(page.match(/\.test\.ts/g)).toHaveLength(proofs.length);
});

test.each(proofs)('“%s” is in %s', (title, file) => {
  // A title in the code stands between quotes; those inside it may be of either kind.
  const code = readFileSync(join(root, file), 'utf8');
  expect(code.includes(`'${title}'`) || code.includes(`"${title}"`)).toBe(true);
});

test('each of the ten has its row with a proof', () => {
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
    const answer = await fetch(`${site.url}/.well-known/security.txt`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain;charset=utf-8']);
    text = await answer.text();
  });
  afterAll(() => site.stop());

  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1];

  test('names the support address, in the repository’s SECURITY.md as well', () => {
    expect(field('Contact')).toBe(`mailto:${contact.support}`);
    expect(readFileSync(join(root, 'SECURITY.md'), 'utf8')).toContain(contact.support);
  });

  test('ends within a year of the build, as RFC 9116 advises', () => {
    const days = (Date.parse(field('Expires') ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(0);
    expect(days).toBeLessThan(365);
  });

  test('leads to a place that is there', async () => {
    const { pathname, hash } = new URL(field('Policy') ?? '');
    const html = await (await fetch(site.url + pathname)).text();
    expect(html).toContain(`id="${hash.slice(1)}"`);
  });
});
