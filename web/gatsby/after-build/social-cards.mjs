/** Social cards. A cache keeps them between builds, so that only changed pages are drawn again. */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inParallel } from '../in-parallel.mjs';
import { createCardDrawer } from './card/draw.mjs';

/**
 * @param {string} publicDir
 * @param {{ pages: import('./built-pages.mjs').BuiltPage[], brand: string, cacheDir: string }} options
 * @returns {Promise<number>} how many were drawn
 */
export async function writeSocialCards(publicDir, { pages, brand, cacheDir }) {
  const cache = join(cacheDir, 'social-cards');
  await mkdir(cache, { recursive: true });
  const kept = new Set(await readdir(cache));
  await rm(join(publicDir, 'social'), { recursive: true, force: true });
  const drawer = await createCardDrawer();
  const used = new Set();
  let drawn = 0;
  const cards = pages.filter(({ indexed }) => indexed);
  await inParallel(cards, async ({ path, title, description }) => {
    const card = { title, description, brand };
    const name = `${drawer.digest(card)}.png`;
    used.add(name);
    if (!kept.has(name)) {
      await writeFile(join(cache, name), await drawer.draw(card));
      drawn += 1;
    }
    const target = join(publicDir, socialCard(path));
    await mkdir(dirname(target), { recursive: true });
    await cp(join(cache, name), target);
  });
  await Promise.all([...kept].filter((name) => !used.has(name)).map((name) => rm(join(cache, name))));
  return drawn;
}

/** src/components/page-head/social-card.tsx builds the same address. @param {string} path */
const socialCard = (path) => `/social${path === '/' ? '/home' : path}.png`;
