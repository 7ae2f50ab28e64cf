/**
 * The releases in CHANGELOG.md, newest first. The notes of a release and the site's page read them here.
 */

const SECTION =
  /^## \[(?<version>[^\]]+)\](?: - (?<date>.+))?\n(?<text>[\s\S]*?)(?=^## \[|^\[[^\]]+\]: |(?![\s\S]))/gm;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * @typedef {object} Release
 * @property {string} version
 * @property {string | undefined} date undefined before the release
 * @property {string} text Markdown
 */

/** @param {string} changelog in the form of keepachangelog.com @returns {Release[]} */
export const readReleases = (changelog) =>
  [...changelog.matchAll(SECTION)].map(({ groups: { version = '', date = '', text = '' } = {} }) => ({
    version,
    date: DATE.test(date) ? date : undefined,
    text: text.trim(),
  }));
