/** The page of all releases, its feed, and the versions below each page of the documentation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import brand from '@presenza/contract/brand.json';
import apiVersions from '@presenza/contract/versions.json';
import { version } from '../../package.json';
import sidebar from '../content/docs/sidebar.json';
import { readReleases } from '../gatsby/releases.mjs';
import { callInNode } from './call-in-node';
import { contents, decode, tags, textOf } from './html';
import { PUBLIC, readPage } from './quality/built-site';

const releases = readReleases(readFileSync(join(__dirname, '../../CHANGELOG.md'), 'utf8'));
const html = readPage('/changelog').replaceAll('<!-- -->', '');
const twin = readFileSync(join(PUBLIC, 'changelog.md'), 'utf8');
const hrefs = (path: string) => tags(readPage(path), 'a').map(({ href }) => href);
/** Letters and digits, which the forms of a text share. */
const plain = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');

test('every release has a heading to link to, and the page and its Markdown have all of its text', () => {
  expect(releases.length).toBeGreaterThan(0);
  for (const release of releases) {
    expect(tags(html, 'h2')).toContainEqual(expect.objectContaining({ id: `v${release.version}` }));
    expect(plain(textOf(contents(html, 'article').join()))).toContain(
      plain(release.text.replace(/^### /gm, '')),
    );
    expect(twin).toContain(`## ${release.version} (`);
  }
  const ids = [...html.matchAll(/<h[23] id="([^"]+)"/g)].map(([, id]) => `#${id}`);
  expect(hrefs('/changelog')).toEqual(expect.arrayContaining(ids));
  expect(twin).not.toMatch(/<Changelog/);
});

test('the changelogs of product and API link to each other, and every page links to the first', () => {
  const main = (path: string) =>
    tags(contents(readPage(path), 'article').join(), 'a').map(({ href }) => href);
  expect(main('/changelog')).toEqual(expect.arrayContaining(['/docs/api-changelog', '/changelog.xml']));
  expect(main('/docs/api-changelog')).toContain('/changelog');
  expect(hrefs('/')).toContain('/changelog');
});

/** The entries that the build makes of releases. */
function entriesOf(nodes: object[]): { title: string; url: string; date: string; description: string }[] {
  const query = {
    site: { siteMetadata: { siteUrl: 'https://example.com' } },
    contractBrand: brand,
    allChangelogRelease: { nodes },
  };
  return callInNode('gatsby/feeds.mjs', 'releaseEntries', { query });
}

test('the feed has an entry for each released version, and none before the release', () => {
  const xml = readFileSync(join(PUBLIC, 'changelog.xml'), 'utf8');
  const links = [...xml.matchAll(/<link>[^<]*(\/changelog#[^<]*)<\/link>/g)].map(([, link]) => link);
  const released = releases.filter(({ date }) => date);
  expect(links).toEqual(released.map((release) => `/changelog#v${release.version}`));
  expect(xml).toContain(`<title><![CDATA[${brand.name} releases]]></title>`);
  const groups = [{ label: 'Added', html: '<ul><li>Video.</li></ul>' }];
  expect(entriesOf([{ version: '1.1.0', date: '2027-01-05', anchor: 'v1.1.0', groups }])).toEqual([
    {
      title: `${brand.name} 1.1.0`,
      url: 'https://example.com/changelog#v1.1.0',
      guid: 'https://example.com/changelog#v1.1.0',
      date: '2027-01-05',
      description: '<h3>Added</h3>\n<ul><li>Video.</li></ul>',
    },
  ]);
});

test('a heading that would break its anchor or the feed stops the build', () => {
  const groupsOf = (text: string) =>
    callInNode('gatsby/changelog.mjs', 'groupsOf', { version: '1.0.0', text });
  expect(groupsOf('### Not fixed\n\n- <b>All</b>')).toEqual([
    {
      label: 'Not fixed',
      anchor: 'v1.0.0-not-fixed',
      html: '<ul>\n<li>&lt;b&gt;All&lt;/b&gt;</li>\n</ul>',
    },
  ]);
  expect(() => groupsOf('### <b>Fixed</b>\n\n- All')).toThrow('use letters only');
});

test.each(['/docs/get-started', '/docs/api-reference/detect', '/docs/operations', '/changelog'])(
  '%s says which versions it describes, with links to what is new in them',
  (path) => {
    const footer = contents(contents(readPage(path), 'main').join(), 'footer')
      .join()
      .replaceAll('<!-- -->', '');
    const isReleased = releases.find((release) => release.version === version)?.date !== undefined;
    const product = `${brand.name} ${version}`;
    expect(decode(footer)).toContain(
      `href="/changelog#v${version}">${isReleased ? product : sidebar.versions.unreleased.replace('{product}', product)}<`,
    );
    expect(footer).toContain(`href="/docs/api-changelog">API version ${apiVersions[0]?.date}<`);
  },
);
