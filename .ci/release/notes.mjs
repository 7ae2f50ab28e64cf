// `node .ci/release/notes.mjs v1.2.3`: prints the notes of a release, the version's section of CHANGELOG.md. Fails if the
// tag is not the version in package.json or the section has no date yet.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readReleases } from '../../web/gatsby/releases.mjs';

/**
 * @param {string} tag such as v1.2.3
 * @param {string} changelog in the form of keepachangelog.com
 * @param {string} version of package.json
 * @returns {string} Markdown
 * @throws {Error} with a sentence
 */
export function readNotes(tag, changelog, version) {
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json has version ${version}.`);
  const release = readReleases(changelog).find((entry) => entry.version === version);
  if (!release?.text) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  if (!release.date)
    throw new Error(`CHANGELOG.md has no date for ${version}: write "## [${version}] - YYYY-MM-DD".`);
  return release.text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (/** @type {string} */ file) =>
    readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  try {
    const { version } = JSON.parse(read('package.json'));
    console.log(readNotes(process.argv[2] ?? '', read('CHANGELOG.md'), version));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
