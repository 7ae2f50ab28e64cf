/**
 * Everyday scenes in which moderation should report nothing: one photo of each of the 1,000 classes of ImageNet, animals,
 * objects, food and places, with and without people. They are the files of github.com/EliSchwartz/imagenet-sample-images,
 * commit bc69043e2862758a1906c6a24a792bb28c6bb2ff, in the folder `scenes` of BENCH_DATA. The photos belong to their
 * photographers, so they stay out of the repository.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evenly, material } from '../lib/material.mjs';

/**
 * Classes that the categories name, chosen by their name before the first run. A report on them may be right, so they count
 * apart.
 */
const NAMED = {
  'swimwear and underwear': ['n02837789', 'n02892767', 'n03710637', 'n03710721', 'n04371430'],
  'blades and bats': ['n03041632', 'n03498962', 'n03658185', 'n09835506'],
};

export const EVERYDAY = 'everyday scenes';

/** A photo of a class. @typedef {{ label: string, read: () => Buffer }} Scene */

/**
 * @param {number} count of everyday scenes, evenly spread over the classes
 * @returns {{ material: string, images: Scene[] }[]} the everyday scenes first
 * @throws Skip without the photos
 */
export function everydayScenes(count) {
  const folder = material('scenes');
  const files = readdirSync(folder)
    .filter((name) => /^n\d{8}_.+\.JPEG$/.test(name))
    .sort();
  const scenesOf = (/** @type {string[]} */ names) =>
    names.map((name) => ({
      label: name.slice('n00000000_'.length, -'.JPEG'.length).replaceAll('_', ' '),
      read: () => readFileSync(join(folder, name)),
    }));
  const inClass = (/** @type {string[]} */ ids) => files.filter((name) => ids.includes(name.slice(0, 9)));
  const named = Object.values(NAMED).flat();
  const everyday = files.filter((name) => !named.includes(name.slice(0, 9)));
  return [
    { material: EVERYDAY, images: scenesOf(evenly(everyday, count)) },
    ...Object.entries(NAMED).map(([kind, ids]) => ({ material: kind, images: scenesOf(inClass(ids)) })),
  ];
}
