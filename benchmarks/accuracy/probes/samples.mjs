/** Labeled portraits with things drawn on them. The probes were trained on two thirds of the people. */
import { readdirSync, readFileSync } from 'node:fs';
import { lfwImage, material } from '../../lib/material.mjs';
import { coverings, decoys, occlude, seeded } from './occlusions.mjs';

/** @typedef {import('./occlusions.mjs').Landmarks} Landmarks */

/**
 * One image.
 * @typedef {object} Sample
 * @property {string} name of the portrait
 * @property {string} kind what is drawn on it, `nothing`, or `untouched` for the portrait as it is
 * @property {number} seed
 * @property {string} other name of a portrait for scraps
 * @property {boolean} heldOut whether training never sees its person
 */

const labels = JSON.parse(readFileSync(new URL('labels.json', import.meta.url), 'utf8'));
const listed = (names, name) => names.includes(name.replace(/\.jpg$/, ''));

/** Every third person, in the order of their names, is held out. @returns {Sample[]} */
export function allSamples() {
  const names = readdirSync(material('lfw/images')).sort();
  const person = (name) => name.replace(/_\d+\.jpg$/, '');
  const people = [...new Set(names.map(person))];
  const place = new Map(people.map((name, i) => [name, i]));
  return names.flatMap((name, i) => {
    const heldOut = Number(place.get(person(name))) % 3 === 0;
    const other = names[(i + 1009) % names.length];
    const sample = (kind, part) => ({ name, kind, seed: 4 * i + part, other, heldOut });
    const covered = sample(coverings[i % coverings.length], 1);
    const decoy = sample(decoys[(i >> 1) % decoys.length], 2);
    return [sample('untouched', 0), sample('nothing', 3), covered, ...(i % 2 ? [decoy] : [])];
  });
}

/** @param {readonly { type: string, x: number, y: number }[]} landmarks of a response @returns {Landmarks} */
export const inPixels = (landmarks, { width, height }) =>
  Object.fromEntries(landmarks.map(({ type, x, y }) => [type, [x * width, y * height]]));

/** The image of a sample. @param {Sample} sample @param {Landmarks} landmarks of its portrait, in pixels */
export const draw = async ({ name, kind, seed, other }, landmarks) =>
  kind === 'untouched'
    ? lfwImage(name)
    : occlude(lfwImage(name), landmarks, kind, seeded(seed), lfwImage(other));

const onEyes = (kind) => /:(eyes|oneEye)$/.test(kind);
const onForehead = (kind) => /:forehead$/.test(kind);

/**
 * Whether a sample shows each finding; undefined if the image does not show it clearly.
 * @type {Readonly<Record<'occluded' | 'glasses' | 'sunglasses' | 'mask' | 'headwear', (sample: Sample) => boolean | undefined>>}
 */
export const truths = {
  occluded({ name, kind }) {
    if (coverings.includes(kind)) return true;
    if (listed(labels.unsure.occluded, name)) return undefined;
    return listed(labels.occluded, name);
  },
  glasses({ name, kind }) {
    if (kind === 'lenses') return false;
    if (onEyes(kind) || listed(labels.unsure.glasses, name)) return undefined;
    return listed(labels.glasses, name);
  },
  sunglasses({ name, kind }) {
    if (kind === 'lenses') return true;
    if (onEyes(kind)) return false;
    if (listed(labels.unsure.occluded, name)) return undefined;
    return listed(labels.sunglasses, name);
  },
  mask: ({ kind }) => kind === 'mask',
  headwear({ name, kind }) {
    if (onForehead(kind) || listed(labels.unsure.headwear, name)) return undefined;
    return listed(labels.headwear, name);
  },
};
