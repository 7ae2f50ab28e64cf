/**
 * The pictures that measurements use. What the installed packages ship is always there; everything else lies outside
 * the repository, and its absence skips a measurement with a sentence.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { DATA } from './paths.mjs';
import { Skip } from './skip.mjs';

const require = createRequire(import.meta.url);

/** Folder of an installed package. @param {string} name */
export function packageFolder(name) {
  const found = (require.resolve.paths(name) ?? [])
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
  if (!found) throw new Error(`The package ${name} is not installed: run \`npm ci\`.`);
  return found;
}

/** Version of an installed package. @param {string} name @returns {string} */
export const packageVersion = (name) =>
  JSON.parse(readFileSync(join(packageFolder(name), 'package.json'), 'utf8')).version;

/**
 * @param {string} path below the folder of test material
 * @throws Skip
 */
export function material(path) {
  const full = join(DATA, path);
  if (!existsSync(full)) throw new Skip(`The test material ${path} is not in ${DATA} (set BENCH_DATA).`);
  return full;
}

/** @typedef {{ name: string, bytes: Buffer }} Picture */

/** The six office photographs of face-api, 1920 pixels wide, with three to six faces each. @returns {Picture[]} */
export function demoPhotographs() {
  const folder = join(packageFolder('@vladmandic/face-api'), 'demo');
  return [1, 2, 3, 4, 5, 6].map((number) => ({
    name: `sample${number}.jpg`,
    bytes: readFileSync(join(folder, `sample${number}.jpg`)),
  }));
}

/**
 * Photographs with the nose tip of every face, in pixels.
 * @returns {(Picture & { noses: [number, number][] })[]}
 */
export function annotatedPhotographs() {
  const folder = dirname(material('faces/annotations.json'));
  const { images } = JSON.parse(readFileSync(join(folder, 'annotations.json'), 'utf8'));
  return Object.entries(images).map(([name, noses]) => ({
    name,
    bytes: readFileSync(join(folder, name)),
    noses: /** @type {[number, number][]} */ (noses),
  }));
}

/**
 * Pictures of 640x480 with one face in the middle: the widest window of that shape around the nose of every
 * annotated photograph that shows a single face.
 * @returns {Promise<Picture[]>}
 */
export async function selfies() {
  const single = annotatedPhotographs().filter(({ noses }) => noses.length === 1);
  return Promise.all(single.map(({ name, bytes, noses: [nose] }) => selfie(name, bytes, nose)));
}

/**
 * @param {string} name
 * @param {Buffer} bytes
 * @param {[number, number]} nose
 * @returns {Promise<Picture>}
 */
async function selfie(name, bytes, [x, y]) {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const half = Math.min(x, width - x, (Math.min(y, height - y) * 4) / 3);
  const window = {
    left: Math.round(x - half),
    top: Math.round(y - half * 0.75),
    width: Math.floor(2 * half),
    height: Math.floor(1.5 * half),
  };
  const cut = await sharp(bytes)
    .extract(window)
    .resize(640, 480, { fit: 'fill' })
    .jpeg({ quality: 90 })
    .toBuffer();
  return { name: `selfie of ${name}`, bytes: cut };
}

/** Side of a picture of LFW in pixels. */
const LFW_SIDE = 250;

/** @typedef {{ fold: number, a: string, b: string, same: boolean }} Pair */

/** Folds 1 to 3 of the standard protocol of LFW. @returns {Pair[]} */
export function lfwPairs() {
  const [, ...lines] = readFileSync(material('lfw/pairs.csv'), 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [fold, a, b, same] = line.split(',');
    return { fold: Number(fold), a, b, same: same === '1' };
  });
}

/** @param {string} name */
export const lfwPicture = (name) => readFileSync(join(material('lfw/images'), name));

/** The pictures of each person, all ordered by name. @returns {string[][]} */
export function lfwPictures() {
  /** @type {Map<string, string[]>} */
  const byPerson = new Map();
  for (const name of readdirSync(material('lfw/images')).sort()) {
    const person = name.replace(/_\d+\.jpg$/, '');
    byPerson.set(person, [...(byPerson.get(person) ?? []), name]);
  }
  return [...byPerson.values()];
}

/** One picture of each person, ordered by name. */
export const lfwPeople = () => lfwPictures().map(([first]) => first);

/**
 * The middle of a picture of LFW, where the labelled person is, without loss.
 * @param {string} name
 * @param {number} crop proportion of each side that is kept
 */
export async function lfwMiddle(name, crop) {
  const bytes = lfwPicture(name);
  if (crop >= 1) return bytes;
  return (await central(bytes, Math.round(LFW_SIDE * crop))).png({ compressionLevel: 1 }).toBuffer();
}

/**
 * The central square part of a picture, without loss.
 * @param {Buffer} bytes
 * @param {number} side in pixels of the picture
 */
export async function central(bytes, side) {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const left = Math.round((width - side) / 2);
  const top = Math.round((height - side) / 2);
  return sharp(bytes).extract({ left, top, width: side, height: side });
}
