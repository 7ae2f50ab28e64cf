/**
 * Sources the demos into GraphQL: pictures that our code draws, and what our engine answers to them. No product API is
 * called by the site; a reader plays with these answers. Both are kept while the code that makes them is the same.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { askAll } from './demos/answers.mjs';
import { assertBuilt, ENGINE, withEngine } from './demos/engine.mjs';
import { drawPictures } from './demos/pictures/index.mjs';

const SOURCES = [
  { folder: fileURLToPath(new URL('demos', import.meta.url)), ending: '.mjs' },
  { folder: join(ENGINE, '..'), ending: '.js' },
  { folder: join(ENGINE, '../../models'), ending: '.json' },
];
/** Which versions draw the pictures and compute the answers. */
const LOCKFILE = fileURLToPath(new URL('../../package-lock.json', import.meta.url));
const CACHE_KEY = 'demos';
const PUBLIC = 'demos';

/** @param {import('gatsby').SourceNodesArgs} api @param {NodeJS.ProcessEnv} env */
export async function sourceDemos({ actions, cache, createNodeId, createContentDigest, reporter }, env) {
  const { pictures, answers } = await demos(cache, env).catch((error) =>
    reporter.panic('The pictures and answers of the demos could not be made.', error),
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
  for (const [position, { bytes, ...picture }] of pictures.entries()) {
    const file = `${picture.name}-${digestOf(bytes).slice(0, 10)}.webp`;
    await writeFile(join('public', PUBLIC, file), bytes);
    const { name } = picture;
    const [faces = [], elements = []] = [answers.faces[name], answers.elements[name]];
    create('DemoPicture', name, { ...picture, position, src: `/${PUBLIC}/${file}`, faces, elements });
  }
  for (const pair of answers.similarities) create('DemoSimilarity', `${pair.source} ${pair.target}`, pair);
}

/**
 * From the last build where nothing changed since.
 * @param {import('gatsby').GatsbyCache} cache
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ pictures: import('./demos/pictures/index.mjs').Picture[], answers: import('./demos/answers.mjs').Answers }>}
 */
async function demos(cache, env) {
  assertBuilt();
  const digest = await digestOfSources();
  const kept = await cache.get(CACHE_KEY);
  if (kept?.digest === digest) {
    const { pictures, answers } = kept;
    const decoded = pictures.map((/** @type {any} */ picture) => ({
      ...picture,
      bytes: Buffer.from(picture.bytes, 'base64'),
    }));
    return { pictures: decoded, answers };
  }
  // The tier loads its models while the pictures are drawn.
  const drawing = drawPictures();
  // Whoever awaits it below learns of a failure; without this one it would end the build before the tier is stopped.
  drawing.catch(() => {});
  const answers = await withEngine(env, async (ask) => askAll(await drawing, ask));
  const pictures = await drawing;
  const encoded = pictures.map((picture) => ({ ...picture, bytes: picture.bytes.toString('base64') }));
  await cache.set(CACHE_KEY, { digest, pictures: encoded, answers });
  return { pictures, answers };
}

async function digestOfSources() {
  const hash = createHash('sha256').update(await readFile(LOCKFILE));
  for (const { folder, ending } of SOURCES) {
    const entries = await readdir(folder, { recursive: true });
    for (const name of entries.filter((entry) => entry.endsWith(ending)).sort()) {
      hash.update(name).update(await readFile(join(folder, name)));
    }
  }
  return hash.digest('hex');
}

/** @param {Buffer} bytes */
const digestOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
