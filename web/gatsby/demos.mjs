/**
 * Sources the demos into GraphQL: committed images, and the results of our engine for them. The site calls no product
 * API; readers explore these results. A build reuses the results of the last one unless engine or images changed.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { createNodes } from './create-nodes.mjs';
import { assertBuilt, ENGINE, withEngine } from './demos/engine.mjs';
import { readImages } from './demos/images.mjs';
import { analyzeAll } from './demos/results.mjs';
import { filesIn } from './files-in.mjs';

/** Everything that results depend on, besides the versions in the lockfile. */
const SOURCES = [
  { folder: fileURLToPath(new URL('demos', import.meta.url)), ending: '' },
  { folder: join(ENGINE, '..'), ending: '.js' },
  { folder: join(ENGINE, '../../models'), ending: '.json' },
];
const LOCKFILE = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const CACHE_KEY = 'demo-results';
const PUBLIC = 'demos';
/** Pixels of choices of an image, which are half as wide on the page. */
const THUMBNAIL_WIDTH = 88;

/** @param {import('gatsby').SourceNodesArgs} api @param {NodeJS.ProcessEnv} env */
export async function sourceDemos(api, env) {
  const images = await readImages();
  const results = await analyze(images, api.cache, env).catch((error) =>
    api.reporter.panic('The results of the demos cannot be computed.', error),
  );
  await rm(join('public', PUBLIC), { recursive: true, force: true });
  await mkdir(join('public', PUBLIC), { recursive: true });
  const published = images.map(async ({ bytes, ...image }) => {
    const small = await sharp(bytes).resize({ width: THUMBNAIL_WIDTH }).webp().toBuffer();
    const [src, thumbnail] = await Promise.all([publish(image.name, bytes), publish(image.name, small)]);
    const { [image.name]: faces = [] } = results.faces;
    const { [image.name]: elements = [] } = results.elements;
    const { [image.name]: warnings = [] } = results.warnings;
    return { ...image, src, thumbnail, faces, elements, warnings };
  });
  createNodes(api, 'DemoImage', await Promise.all(published));
  createNodes(api, 'DemoSimilarity', results.similarities);
}

/** Writes an image below an address that changes with it. @param {string} name @param {Buffer} bytes */
async function publish(name, bytes) {
  const file = `${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}.webp`;
  await writeFile(join('public', PUBLIC, file), bytes);
  return `/${PUBLIC}/${file}`;
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
  for (const { folder, ending } of SOURCES)
    for (const file of (await filesIn(folder)).filter((name) => name.endsWith(ending)).sort())
      hash.update(file.slice(folder.length)).update(await readFile(file));
  return hash.digest('hex');
}
