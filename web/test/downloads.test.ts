/** The page of downloads lists every archive with its checksum, and the archives have the files of the repository. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '@presenza/contract/package.json';
import AdmZip from 'adm-zip';
import { ROOT } from '../../gateway/harness/cli/paths.mjs';
import { callInNode } from './call-in-node';
import { tags, textOf } from './html';
import { PUBLIC, readPage } from './quality/built-site';

const FOLDER = join(PUBLIC, 'downloads');
const html = readPage('/docs/downloads').replaceAll('<wbr/>', '');
const twin = readFileSync(join(PUBLIC, 'docs/downloads.md'), 'utf8');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(join(FOLDER, file)).isFile(),
);
const archives = files.filter((file) => /\.(?:tgz|zip|whl)$/.test(file));

test('there is an archive of each app, of the receivers, and of each library', () => {
  const sources = ['face-check-android', 'face-check-flutter', 'face-check-ios', 'face-check-web'];
  const libraries = [
    `presenza-${version}-py3-none-any.whl`,
    `presenza-${version}.tgz`,
    `presenza-java-${version}.tgz`,
    `presenza-liveness-${version}.tgz`,
    `go/presenza.example/presenza/@v/v${version}.zip`,
  ];
  const expected = [...sources, 'webhook-receivers'].flatMap((name) => [`${name}.tgz`, `${name}.zip`]);
  expect([...archives].sort()).toEqual([...expected, ...libraries].sort());
});

test.each(archives)('%s is listed with its checksum', (file) => {
  const hash = createHash('sha256')
    .update(readFileSync(join(FOLDER, file)))
    .digest('hex');
  expect(tags(html, 'a').filter(({ href }) => href === `/downloads/${file}`)).toHaveLength(1);
  expect(textOf(html)).toContain(hash);
  expect(twin).toContain(`/downloads/${file}) \`${hash}\``);
});

test.each(['web', 'flutter', 'ios', 'android'])(
  'the archive of the app for %s has its files in git',
  (app) => {
    const folder = `gateway/contract/apps/${app}`;
    const tracked = execFileSync('git', ['ls-files', folder], { cwd: ROOT, encoding: 'utf8' })
      .trim()
      .split('\n');
    const entries = new AdmZip(join(FOLDER, `face-check-${app}.zip`)).getEntries();
    const packed = Object.fromEntries(entries.map((entry) => [entry.entryName, entry.getData().toString()]));
    const expected = tracked.map((file) => [
      file.replace(folder, `face-check-${app}`),
      readFileSync(join(ROOT, file), 'utf8'),
    ]);
    const license = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
    expect(packed).toEqual({ ...Object.fromEntries(expected), [`face-check-${app}/LICENSE`]: license });
  },
);

test('a command has the address that the site was built for, also in the Markdown', () => {
  const command = 'npm install {siteUrl}/downloads/presenza-{version}.tgz';
  const filled = (address: string) => callInNode('gatsby/fill-code.mjs', 'fillCodeText', command, address);
  expect(filled('https://presenza.example')).toBe(
    `npm install https://presenza.example/downloads/presenza-${version}.tgz`,
  );
  for (const path of ['/docs/get-started', '/docs/api-reference/sdks', '/docs/web/api-integration']) {
    const markdown = readFileSync(join(PUBLIC, `${path}.md`), 'utf8');
    for (const text of [textOf(readPage(path)), markdown]) {
      expect(text).toMatch(/\bhttps?:\/\/[^\s/]+\/downloads\/\w/);
      expect(text).not.toMatch(/\{(?:siteUrl|version)\}/);
    }
  }
});
