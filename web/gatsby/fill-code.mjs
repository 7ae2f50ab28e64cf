/**
 * A remark plugin that fills the address of the site and the version of the product into code, so that readers can paste
 * its commands: `npm install {siteUrl}/downloads/presenza-{version}.tgz`. Other braces in code belong to the code.
 */
import { createRequire } from 'node:module';

/** @typedef {{ type: string, value?: string, children?: Node[] }} Node */

/** @type {{ version: string }} */
const { version } = createRequire(import.meta.url)('../package.json');

/** @param {string} siteUrl without a trailing slash */
export const fillCode = (siteUrl) => () => (/** @type {Node} */ tree) => visit(tree, siteUrl);

/** @param {Node} node @param {string} siteUrl */
function visit(node, siteUrl) {
  if (node.value !== undefined && (node.type === 'code' || node.type === 'inlineCode'))
    node.value = fillCodeText(node.value, siteUrl);
  for (const child of node.children ?? []) visit(child, siteUrl);
}

/** @param {string} text @param {string} siteUrl without a trailing slash */
export const fillCodeText = (text, siteUrl) =>
  text.replaceAll('{siteUrl}', siteUrl).replaceAll('{version}', version);
