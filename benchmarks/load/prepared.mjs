/** Bodies as they go over the wire, one file each: what k6 need not do itself (scenarios/lib/prepared.ts). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./pictures.mjs').LoadPicture} LoadPicture */
/** @typedef {Pick<LoadPicture, 'image' | 'faces'>} Picture */

/** `count`: faces, matched faces or detected elements of the right answer. @typedef {{ file: string, count: number }} Prepared */

/**
 * @param {string} folder
 * @param {{ pictures: readonly Picture[], pairs: readonly { source: Picture, target: Picture, same: boolean }[] }} content
 * @returns {Record<'detect' | 'compare' | 'moderate', Prepared[]>}
 */
export function prepare(folder, { pictures, pairs }) {
  let written = 0;
  /** @param {object} body @param {number} count */
  const write = (body, count) => {
    const file = join(folder, `body-${++written}.json`);
    writeFileSync(file, JSON.stringify(body));
    return { file, count };
  };
  const single = pictures.map(({ image, faces }) => write({ image }, faces));
  return {
    detect: single,
    compare: pairs.map(({ source, target, same }) =>
      write({ sourceImage: source.image, targetImage: target.image }, same ? 1 : 0),
    ),
    // Nobody in them does anything that is moderated.
    moderate: single.map(({ file }) => ({ file, count: 0 })),
  };
}
