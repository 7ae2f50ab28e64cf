/**
 * Images for measurements. Installed packages ship some; the others lie outside the repository, and a measurement without
 * them is skipped with a message.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { Skip } from './skip.mjs';

const require = createRequire(import.meta.url);

/** Folder of an installed package. @param {string} name */
export function packageFolder(name) {
  const installed = (require.resolve.paths(name) ?? [])
    .map((folder) => join(folder, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
  if (!installed) throw new Error(`The package ${name} is not installed: run \`npm ci\`.`);
  return installed;
}

/** @param {string} name @returns {string} the version of an installed package */
export const packageVersion = (name) =>
  JSON.parse(readFileSync(join(packageFolder(name), 'package.json'), 'utf8')).version;

/** Where the files of each folder of BENCH_DATA come from. @type {Readonly<Record<string, string>>} */
const SOURCES = {
  lfw: 'Labeled Faces in the Wild, deep-funneled (http://vis-www.cs.umass.edu/lfw/)',
  faces:
    'the sample images of CompreFace with their annotations (https://github.com/exadel-inc/CompreFace, embedding-calculator/sample_images)',
  scenes: 'https://github.com/EliSchwartz/imagenet-sample-images',
  ages: 'https://github.com/thlaiquid-ai/demographic-test-images, folder fairface',
};

/** @param {string} path below BENCH_DATA @throws Skip that names the variable and the public source */
export function material(path) {
  const { BENCH_DATA } = process.env;
  const full = BENCH_DATA === undefined ? undefined : join(BENCH_DATA, path);
  if (full !== undefined && existsSync(full)) return full;
  const [folder = ''] = path.split('/');
  const fault =
    BENCH_DATA === undefined
      ? `BENCH_DATA is not set: set it to a folder that contains ${path}.`
      : `${BENCH_DATA}, the folder of BENCH_DATA, does not contain ${path}.`;
  throw new Skip(`${fault} Source: ${SOURCES[folder]}. benchmarks/README.md describes the files.`);
}

/** Picks at most `count` items, evenly spread. @template T @param {readonly T[]} items @param {number} count @returns {T[]} */
export const evenly = (items, count) =>
  Array.from(
    { length: Math.min(count, items.length) },
    (_, i) => /** @type {T} */ (items[Math.floor((i * Math.max(count, items.length)) / count)]),
  );

/** @typedef {{ name: string, bytes: Buffer }} Photo */

/** The six office photos of face-api, 1920 pixels wide, with three to six faces each. @returns {Photo[]} */
export function demoPhotos() {
  const folder = join(packageFolder('@vladmandic/face-api'), 'demo');
  return [1, 2, 3, 4, 5, 6].map((number) => ({
    name: `sample${number}.jpg`,
    bytes: readFileSync(join(folder, `sample${number}.jpg`)),
  }));
}

/** Photos with the nose tip of every face, in pixels. @returns {(Photo & { noses: [number, number][] })[]} */
export function annotatedPhotos() {
  const folder = dirname(material('faces/annotations.json'));
  const { images } = JSON.parse(readFileSync(join(folder, 'annotations.json'), 'utf8'));
  return Object.entries(images).map(([name, noses]) => ({
    name,
    bytes: readFileSync(join(folder, name)),
    noses,
  }));
}

/**
 * Images of 640x480 with one face in the middle: the widest window of that shape around the nose of every annotated photo
 * that shows a single face.
 * @returns {Promise<Photo[]>}
 */
export async function selfies() {
  const single = annotatedPhotos().filter(({ noses }) => noses.length === 1);
  return Promise.all(
    single.map(({ name, bytes, noses: [nose] }) =>
      selfie(name, bytes, /** @type {[number, number]} */ (nose)),
    ),
  );
}

/** @param {string} name @param {Buffer} bytes @param {[number, number]} nose @returns {Promise<Photo>} */
async function selfie(name, bytes, [x, y]) {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const half = Math.min(x, width - x, (Math.min(y, height - y) * 4) / 3);
  const window = {
    left: Math.round(x - half),
    top: Math.round(y - half * 0.75),
    width: Math.floor(2 * half),
    height: Math.floor(1.5 * half),
  };
  const cut = sharp(bytes).extract(window).resize(640, 480, { fit: 'fill' }).jpeg({ quality: 90 });
  return { name: `selfie of ${name}`, bytes: await cut.toBuffer() };
}

/**
 * Photo and center of the face, as shares of width and height, of people with no one else near them. Two faces of one
 * photo are never the same person.
 */
const PEOPLE = /** @type {const} */ ([
  [1, 0.266, 0.387],
  [1, 0.821, 0.253],
  [3, 0.617, 0.277],
  [3, 0.362, 0.356],
  [5, 0.786, 0.386],
  [5, 0.356, 0.395],
  [6, 0.829, 0.277],
  [6, 0.187, 0.416],
]);
/** Pixels of the photo that become a portrait: the head fills about half of its height. */
const WINDOW = { width: 440, height: 330 };

/**
 * Portraits of eight people, cut from the office photos: JPEG of 640x480 with about 40 kB, like a scaled selfie.
 * @param {{ mirrored?: boolean }} [options] mirrored and compressed harder: another image of the same person
 * @returns {Promise<Buffer[]>} the neighbors 0 and 1, 2 and 3 and so on are different people
 */
export async function portraits({ mirrored = false } = {}) {
  const photos = demoPhotos();
  return Promise.all(
    PEOPLE.map(async ([number, x, y]) => {
      const { bytes } = /** @type {Photo} */ (photos[number - 1]);
      const { width = 0, height = 0 } = await sharp(bytes).metadata();
      const left = clamp(x * width - WINDOW.width / 2, width - WINDOW.width);
      const top = clamp(y * height - WINDOW.height / 2, height - WINDOW.height);
      const cut = sharp(bytes)
        .extract({ ...WINDOW, left, top })
        .resize(640, 480);
      return (mirrored ? cut.flop().jpeg({ quality: 75 }) : cut.jpeg({ quality: 90 })).toBuffer();
    }),
  );
}

/** @param {number} value @param {number} most */
const clamp = (value, most) => Math.max(0, Math.min(Math.round(value), most));

/** @param {Buffer} jpeg */
export const dataUri = (jpeg) => `data:image/jpeg;base64,${jpeg.toString('base64')}`;

/** Side of an LFW image in pixels. */
export const LFW_SIDE = 250;

/** @typedef {{ fold: number, a: string, b: string, same: boolean }} Pair */

/** Folds 1 to 3 of the standard protocol of LFW. @returns {Pair[]} */
export function lfwPairs() {
  const [, ...lines] = readFileSync(material('lfw/pairs.csv'), 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [fold, a = '', b = '', same] = line.split(',');
    return { fold: Number(fold), a, b, same: same === '1' };
  });
}

/** @param {string} name */
export const lfwImage = (name) => readFileSync(join(material('lfw/images'), name));

/** The images of each person, ordered by name. @returns {string[][]} */
export function lfwImages() {
  const byPerson = new Map();
  for (const name of readdirSync(material('lfw/images')).sort()) {
    const person = name.replace(/_\d+\.jpg$/, '');
    byPerson.set(person, [...(byPerson.get(person) ?? []), name]);
  }
  return [...byPerson.values()];
}

/** The first image of each person, ordered by name. */
export const lfwPeople = () => lfwImages().map(([first]) => first);

/**
 * The lossless middle of an LFW image, where the labeled person is.
 * @param {string} name
 * @param {number} crop proportion of each side that is kept
 */
export async function lfwMiddle(name, crop) {
  const bytes = lfwImage(name);
  if (crop >= 1) return bytes;
  return (await central(bytes, Math.round(LFW_SIDE * crop))).png({ compressionLevel: 1 }).toBuffer();
}

/** The lossless central square of an image. @param {Buffer} bytes @param {number} side in pixels */
export async function central(bytes, side) {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const left = Math.round((width - side) / 2);
  const top = Math.round((height - side) / 2);
  return sharp(bytes).extract({ left, top, width: side, height: side });
}
