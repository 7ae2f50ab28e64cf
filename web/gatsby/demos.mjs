/**
 * Sources the demos into GraphQL: committed images, and the results of our engine for them. The site calls no product
 * API; readers explore these results. A build reuses the results of the last one unless engine or images changed.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertBuilt, ENGINE, withEngine } from './demos/engine.mjs';
import { readImages } from './demos/images.mjs';
import { analyzeAll } from './demos/results.mjs';

/** Everything that results depend on, besides the versions in the lockfile. */
const SOURCES = [
  { folder: fileURLToPath(new URL('demos', import.meta.url)), ending: '' },
  { folder: join(ENGINE, '..'), ending: '.js' },
  { folder: join(ENGINE, '../../models'), ending: '.json' },
];
const LOCKFILE = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const CACHE_KEY = 'demo-results';
const PUBLIC = 'demos';

/** @param {import('gatsby').SourceNodesArgs} api @param {NodeJS.ProcessEnv} env */
export async function sourceDemos({ actions, cache, createNodeId, createContentDigest, reporter }, env) {
  const images = await readImages();
  const results = await analyze(images, cache, env).catch((error) =>
    reporter.panic('The results of the demos cannot be computed.', error),
  );
  /** @param {string} type @param {string} key @param {Record<string, unknown>} content */
  const create = (type, key, content) =>
    actions.createNode({
      ...content,
      id: createNodeId(`${type} ${key}`),
      internal: { type, contentDigest: createContentDigest(content) },
    });

  await rm(join('public', PUBLIC), { recursive: true, force: true });
  await mkdir(join('public', PUBLIC), { recursive: true });
  for (const [position, { bytes, ...image }] of images.entries()) {
    const { name } = image;
    const file = `${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}.webp`;
    await writeFile(join('public', PUBLIC, file), bytes);
    const [faces = [], elements = []] = [results.faces[name], results.elements[name]];
    create('DemoImage', name, { ...image, position, src: `/${PUBLIC}/${file}`, faces, elements });
  }
  for (const pair of results.similarities) create('DemoSimilarity', `${pair.source} ${pair.target}`, pair);
}

/**
 * @param {import('./demos/images.mjs').DemoImage[]} images
 * @param {import('gatsby').GatsbyCache} cache
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import('./demos/results.mjs').Results>}
 */
async function analyze(images, cache, env) {
  assertBuilt();
  const digest = await digestOfSources();
  const cached = await cache.get(CACHE_KEY);
  if (cached?.digest === digest) return cached.results;
  const results = await withEngine(env, (ask) => analyzeAll(images, ask));
  await cache.set(CACHE_KEY, { digest, results });
  return results;
}

async function digestOfSources() {
  const hash = createHash('sha256').update(await readFile(LOCKFILE));
  for (const { folder, ending } of SOURCES) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(ending));
    // Node 20.9 names the folder `path`, later versions `parentPath`.
    for (const file of files.map(({ name, parentPath, path }) => join(parentPath ?? path, name)).sort())
      hash.update(file.slice(folder.length)).update(await readFile(file));
  }
  return hash.digest('hex');
}
