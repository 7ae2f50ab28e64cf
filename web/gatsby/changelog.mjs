/** Sources the releases in CHANGELOG.md, and the versions that the documentation describes. */
import { readFile } from 'node:fs/promises';
import { micromark } from 'micromark';
import { readContractFile } from './contract-file.mjs';
import { createNodes } from './create-nodes.mjs';
import { readReleases } from './releases.mjs';

/** @param {string} path from the root of the repository */
const readRoot = (path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** @param {string} version */
const anchorOf = (version) => `v${version}`;

/** The parts of a release below its headings of level 3. @param {import('./releases.mjs').Release} release */
export function groupsOf({ version, text }) {
  const [before = '', ...parts] = text.split(/^### /m);
  if (before.trim()) throw new Error(`CHANGELOG.md has text before the first heading of ${version}.`);
  return parts.map((part) => {
    const [label = '', ...lines] = part.split('\n');
    // The anchor and the feed's HTML contain it as it is.
    if (!/^[A-Za-z ]+$/.test(label))
      throw new Error(`CHANGELOG.md has the heading "${label}": use letters only.`);
    const anchor = `${anchorOf(version)}-${label.toLowerCase().replaceAll(' ', '-')}`;
    return { label, anchor, html: micromark(lines.join('\n').trim()) };
  });
}

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceChangelog(api) {
  const releases = readReleases(await readRoot('CHANGELOG.md'));
  createNodes(
    api,
    'ChangelogRelease',
    releases.map((release) => ({
      version: release.version,
      date: release.date ?? null,
      anchor: anchorOf(release.version),
      groups: groupsOf(release),
    })),
  );
  const { version } = JSON.parse(await readRoot('package.json'));
  const [newest] = await readContractFile('versions');
  const release = releases.find((candidate) => candidate.version === version);
  if (!release) throw new Error(`CHANGELOG.md has no section for ${version}, the version in package.json.`);
  createNodes(api, 'DocsVersions', [
    { product: version, isReleased: Boolean(release.date), anchor: anchorOf(version), api: newest.date },
  ]);
}

/**
 * @param {string} mdx
 * @returns {Promise<string>} with the releases as Markdown in place of the component
 */
export async function fillChangelog(mdx) {
  const releases = readReleases(await readRoot('CHANGELOG.md'));
  return mdx.replace(/^<Changelog unreleased="([^"]*)" \/>$/m, (_, unreleased) =>
    releases
      .map(({ version, date, text }) => `## ${version} (${date ?? unreleased})\n\n${text}`)
      .join('\n\n'),
  );
}
