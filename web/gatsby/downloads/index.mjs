/**
 * Writes the files that the documentation has readers download, sources a node of each file for the tables that list them, and
 * lists them in the page's Markdown twin.
 */
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createNodes } from '../create-nodes.mjs';
import { markdownTable } from '../markdown-table.mjs';
import { readDownloads } from './read-downloads.mjs';

/** The folder on the site. */
const FOLDER = '/downloads';

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceDownloads(api) {
  const downloads = await readDownloads();
  await writeDownloads(join('public', FOLDER), downloads);
  createNodes(api, 'Download', listed(downloads));
}

/** @param {string} folder @param {import('./read-downloads.mjs').Download[]} downloads */
async function writeDownloads(folder, downloads) {
  await rm(folder, { recursive: true, force: true });
  for (const { path, content } of downloads) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/**
 * @typedef {object} ListedDownload
 * @property {string} file
 * @property {string} address on the site
 * @property {string} group the table that lists it
 * @property {string} size with its unit
 * @property {string} sha256 in hexadecimal
 */

/** @param {import('./read-downloads.mjs').Download[]} downloads @returns {ListedDownload[]} */
const listed = (downloads) =>
  downloads.flatMap(({ path, group, content }) =>
    group === undefined
      ? []
      : {
          file: path.startsWith('go/') ? path.slice('go/'.length) : path,
          address: `${FOLDER}/${path}`,
          group,
          size: `${Math.ceil(content.length / 1024)} KB`,
          sha256: createHash('sha256').update(content).digest('hex'),
        },
  );

/** The component of MDX that shows a group. */
const TABLE = /^<DownloadsTable group="(\w+)" file="([^"]*)" size="([^"]*)" \/>$/gm;

/**
 * @param {string} mdx @param {readonly ListedDownload[]} downloads
 * @returns {string} with Markdown tables in place of the components
 */
export const fillDownloads = (mdx, downloads) =>
  mdx.replace(TABLE, (_, name, ...headings) => {
    const rows = downloads
      .filter(({ group }) => group === name)
      .map(({ file, address, size, sha256 }) => [`[${file}](${address}) \`${sha256}\``, size]);
    return markdownTable(headings.slice(0, 2), rows);
  });
