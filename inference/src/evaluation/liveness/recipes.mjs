/**
 * Recipes for public sets: each finds the recordings in the folders of a set and labels them. The layouts are those that
 * published loaders of the sets read; they were not tried on the sets themselves. Operators check the licenses of the
 * sets. None of them has our prompts, so the report treats all of them as recordings without prompts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative } from 'node:path';
import { InputError } from '../../../dist/evaluation/input/input-error.js';

/** @typedef {import('./types').Recording} Recording */

/** @typedef {{ set: string, layout: string, find: (folder: string) => Recording[] }} Recipe */

/** @type {Readonly<Record<string, Recipe>>} */
export const recipes = {
  'oulu-npu': {
    set: 'OULU-NPU',
    layout:
      'Train_files, Dev_files and Test_files with PHONE_SESSION_USER_FILE.avi, or folders of frames by that name',
    find: (folder) => named(folder, /^(\d)_(\d)_(\d+)_([1-5])$/, ouluNpu),
  },
  'celeba-spoof': {
    set: 'CelebA-Spoof',
    layout: 'metas/intra_test/test_label.json, which lists the images of Data/test with their labels',
    find: celebaSpoof,
  },
  wmca: {
    set: 'WMCA',
    layout:
      'the color channel of CLIENT_SESSION_PRESENTER_TYPE_PAI.hdf5, exported as a video or a folder by that name',
    find: (folder) => named(folder, /^(\d+)_(\d+)_(\d+)_(\d+)_(\d+)$/, wmca),
  },
  'faceforensics++': {
    set: 'FaceForensics++',
    layout: 'manipulated_sequences/METHOD/COMPRESSION/videos/*.mp4',
    find: faceForensics,
  },
};

/** Sets whose layout we could not verify: write their manifest by hand or by a script. */
const unverified = ['siw-m', 'hifimask'];

/**
 * @param {string} name
 * @param {string} folder
 * @returns {Recording[]} at least one
 * @throws InputError
 */
export function applyRecipe(name, folder) {
  const recipe = recipes[name];
  if (unverified.includes(name))
    throw new InputError(
      `There is no recipe for ${name}, because its layout could not be verified: write recordings.csv as the documentation shows.`,
    );
  if (!recipe) throw new InputError(`There is no recipe "${name}"; the recipes are ${Object.keys(recipes)}.`);
  const recordings = recipe.find(folder);
  if (recordings.length === 0)
    throw new InputError(`${folder} has no recordings of ${recipe.set}. It needs ${recipe.layout}.`);
  return recordings;
}

/**
 * Files and folders whose name without its ending fits, at any depth.
 * @param {string} folder
 * @param {RegExp} pattern
 * @param {(parts: RegExpMatchArray) => Omit<Recording, 'path'>} label
 * @returns {Recording[]}
 */
function named(folder, pattern, label) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() || ['.avi', '.mp4', '.mov', '.mkv'].includes(extname(entry.name)))
    .flatMap((entry) => {
      const parts = basename(entry.name, extname(entry.name)).match(pattern);
      return parts ? [{ path: relative(folder, join(entry.parentPath, entry.name)), ...label(parts) }] : [];
    })
    .sort((a, b) => a.path.localeCompare(b.path));
}

const bonaFide = /** @type {const} */ ({ label: 'bonaFide' });
const presentation = (/** @type {string} */ species) =>
  /** @type {const} */ ({ label: 'attack', type: 'presentation', species });

/**
 * File 1 is the person, 2 and 3 are prints, 4 and 5 are replays. Protocol 2 of the set, which trains on one print and one
 * replay and tests on the others, reads 1, 2, 4 and 1, 3, 5.
 * @param {RegExpMatchArray} parts
 */
function ouluNpu([, phone, session, subject, file]) {
  const names = { 2: 'print 1', 3: 'print 2', 4: 'replay 1', 5: 'replay 2' };
  return {
    ...(file === '1' ? bonaFide : presentation(names[file])),
    device: `phone ${phone}`,
    group: `session ${session}`,
    subject,
  };
}

/**
 * Type 0 is bona fide. The documentation of the naming shows 2 as a fake face and 3 as a photo; the other numbers appear as
 * they are.
 * @param {RegExpMatchArray} parts
 */
function wmca([, client, session, , type]) {
  const names = { 2: 'fake face', 3: 'photo' };
  return {
    ...(Number(type) === 0 ? bonaFide : presentation(names[Number(type)] ?? `type ${Number(type)}`)),
    group: `session ${Number(session)}`,
    subject: client,
  };
}

/** Position of the type of attack among the 44 labels of an image; 0 is live. */
const SPOOF_TYPE = 40;

/** The folder of an image is that of its subject: Data/test/SUBJECT/live or spoof/NAME. @param {string} folder @returns {Recording[]} */
function celebaSpoof(folder) {
  const file = join(folder, 'metas', 'intra_test', 'test_label.json');
  if (!existsSync(file)) return [];
  /** @type {Record<string, number[]>} */
  const labels = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(labels).map(([path, values]) => ({
    path,
    ...(values[SPOOF_TYPE] === 0 ? bonaFide : presentation(`spoof type ${values[SPOOF_TYPE]}`)),
    subject: basename(dirname(dirname(path))),
  }));
}

/**
 * All manipulations replace or change the face of a video, so they are injection attacks. The originals were taken from the
 * web: none is a bona fide presentation of a check, so they are left out. A name begins with the number of the target.
 * @param {string} folder
 * @returns {Recording[]}
 */
function faceForensics(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap((path) => {
      const [, species, group, target] =
        path.match(/^manipulated_sequences[/\\]([^/\\]+)[/\\]([^/\\]+)[/\\]videos[/\\]([^_/\\]+).*\.mp4$/) ??
        [];
      if (!species) return [];
      const subject = `${species === 'DeepFakeDetection' ? 'actor' : 'video'} ${target}`;
      return [
        /** @type {Recording} */ ({ path, label: 'attack', type: 'injection', species, group, subject }),
      ];
    });
}
