/** Sources the versions of the API, and what the contract has since its last release. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { additions } from '@presenza/contract/compatibility/additions.mjs';
import { CONTRACT, readContractFile } from './contract-file.mjs';
import { createNodes } from './create-nodes.mjs';

/**
 * @typedef {{ date: string, changes: string[] }} Version
 * @returns {Promise<Version[]>} newest first
 */
const readVersions = () => readContractFile('versions');

/** @returns {Promise<string[]>} sentences with code between backticks */
async function readAdditions() {
  const files = (await readdir(join(CONTRACT, 'schemas'))).sort();
  const [openapi, released, ...contents] = await Promise.all(
    ['openapi.json', 'compatibility/released.json', ...files.map((file) => `schemas/${file}`)].map((file) =>
      readContractFile(file.replace(/\.json$/, '')),
    ),
  );
  const schemas = Object.fromEntries(files.map((file, i) => [file, contents[i]]));
  return additions(released, { ...openapi, schemas });
}

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceApiChangelog(api) {
  createNodes(api, 'ApiVersion', await readVersions());
  const texts = await readAdditions();
  createNodes(
    api,
    'ApiAddition',
    texts.map((text) => ({ text })),
  );
}

/** @param {string} mdx @returns {Promise<string>} with Markdown lists in place of the components */
export async function fillApiChangelog(mdx) {
  // One page has them. For each of the others, all schemas would be open at once: too many files for some builds.
  if (!/^<Api(?:Versions|Additions)\b/m.test(mdx)) return mdx;
  const [versions, added] = await Promise.all([readVersions(), readAdditions()]);
  return mdx
    .replace(/^<ApiVersions \/>$/m, () =>
      versions.map(({ date, changes }) => `- \`${date}\`: ${changes.join(' ')}`).join('\n'),
    )
    .replace(
      /^<ApiAdditions none="([^"]*)" \/>$/m,
      (_, none) => added.map((text) => `- ${text}`).join('\n') || none,
    );
}
