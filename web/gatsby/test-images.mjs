/** Sources the test images of the contract, copies them for download, and lists them in the page's Markdown twin. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT, readContractFile } from './contract-file.mjs';
import { createNodes } from './create-nodes.mjs';
import { markdownTable } from './markdown-table.mjs';

const FOLDER = 'test-images';

/**
 * @typedef {object} TestImage
 * @property {string} file
 * @property {string} address on the site
 * @property {string} group the table that lists it
 * @property {string} response a sentence with code between backticks
 */

/** @returns {Promise<TestImage[]>} in the order of the contract */
async function readTestImages() {
  /** @type {{ images: { name: string, group: string, response: string }[] }} */
  const { images } = await readContractFile(FOLDER);
  return images.map(({ name, group, response }) => {
    const file = `${name}.png`;
    return { file, address: `/${FOLDER}/${file}`, group, response };
  });
}

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceTestImages(api) {
  createNodes(api, 'TestImage', await readTestImages());
}

/** @param {string} publicDir */
export async function writeTestImages(publicDir) {
  const copies = (await readTestImages()).map(({ file, address }) =>
    cp(join(CONTRACT, FOLDER, file), join(publicDir, address)),
  );
  await Promise.all(copies);
}

/** The component of MDX that shows a group. */
const TABLE = /^<TestImagesTable group="(\w+)" image="([^"]*)" response="([^"]*)" \/>$/gm;

/** @param {string} mdx @returns {Promise<string>} with Markdown tables in place of the components */
export async function fillTestImages(mdx) {
  const images = await readTestImages();
  return mdx.replace(TABLE, (_, name, ...headings) => {
    const rows = images
      .filter(({ group }) => group === name)
      .map(({ file, address, response }) => [`[${file}](${address})`, response]);
    return markdownTable(headings.slice(0, 2), rows);
  });
}
