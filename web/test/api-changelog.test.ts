/** The page about versions lists those of the contract, and what is new since the kept release. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import versions from '@presenza/contract/versions.json';
import { tags } from './html';
import { readPage } from './quality/built-site';

const html = readPage('/docs/api-changelog').replace(/<!-- -->|<wbr\/>/g, '');
const twin = readFileSync(join(__dirname, '../public/docs/api-changelog.md'), 'utf8');

test('every version is listed with its changes, also in the Markdown twin', () => {
  for (const { date, changes } of versions) {
    expect(html).toContain(`<li><code>${date}</code>: ${changes.join(' ')}</li>`);
    expect(twin).toContain(`- \`${date}\`: ${changes.join(' ')}`);
  }
});

test('the twin lists the same additions, and no component is left', () => {
  const listed = html.match(/<ul data-source="contract">(.*?)<\/ul>/)?.[1] ?? '';
  const sentences = [...listed.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text as string);
  for (const sentence of sentences) expect(twin).toContain(`- ${sentence.replace(/<\/?code>/g, '`')}`);
  expect(twin).not.toMatch(/<Api/);
});

test('the sidebar and the API reference link to it', () => {
  const links = tags(readPage('/docs/api-reference'), 'a').filter(
    ({ href }) => href === '/docs/api-changelog',
  );
  expect(links.length).toBeGreaterThanOrEqual(2);
});
