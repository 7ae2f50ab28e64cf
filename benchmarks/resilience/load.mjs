/** What clients ask of a service that fails on the way: pictures, operations on them, and a steady stream of these. */
import sharp from 'sharp';
import { demoPhotographs } from '../lib/material.mjs';

/** @typedef {import('./client.mjs').Operation} Operation */
/** @typedef {import('./client.mjs').Pursued} Pursued */
/** @typedef {ReturnType<typeof import('../lib/random.mjs').randomFrom>} Random */

/** Products of `products.json`, by operation. */
const products = {
  detect: 'faceDetection',
  compare: 'faceComparison',
  moderate: 'imageModeration',
};

/** Data URIs with faces; small, since what is asked is not how fast the models are. */
export async function smallPictures(most = Number.POSITIVE_INFINITY) {
  const pictures = await Promise.all(
    demoPhotographs()
      .slice(0, most)
      .map(({ bytes }) => sharp(bytes).resize({ width: 400 }).jpeg().toBuffer()),
  );
  return pictures.map((bytes) => `data:image/jpeg;base64,${bytes.toString('base64')}`);
}

/** Begins like a JPEG and is none: refused by the inference tier, so it may never be billed. */
const broken = `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2, 3]).toString('base64')}`;

/**
 * @param {readonly string[]} pictures
 * @param {Random} random
 * @param {string} prefix of the keys
 * @returns {() => Operation}
 */
export function operations(pictures, random, prefix) {
  let number = 0;
  const picture = () => (random.next() < 0.1 ? broken : random.pick(pictures));
  const one = () => {
    const operation = random.pick(/** @type {const} */ (['detect', 'compare', 'moderate']));
    const body =
      operation === 'compare' ? { sourceImage: picture(), targetImage: picture() } : { image: picture() };
    return { operation, body };
  };
  return () => {
    const key = `chaos-${prefix}-${number++}`;
    return random.next() < 0.75
      ? single(key, one())
      : batch(key, Array.from({ length: random.whole(2, 7) }, one));
  };
}

/** @typedef {{ operation: keyof typeof products, body: Record<string, string> }} Part */

/** @param {string} key @param {Part} part @returns {Operation} */
const single = (key, { operation, body }) => ({
  key,
  path: `/${operation}`,
  body: Buffer.from(JSON.stringify(body)),
  products: [products[operation]],
  questions: [questionOf(operation, body)],
});

/** @param {string} key @param {Part[]} parts @returns {Operation} */
const batch = (key, parts) => ({
  key,
  path: '/batch',
  body: Buffer.from(JSON.stringify({ operations: parts })),
  products: parts.map(({ operation }) => products[operation]),
  questions: parts.map(({ operation, body }) => questionOf(operation, body)),
});

/** The same for what has the same answer. @param {string} operation @param {Record<string, string>} body */
const questionOf = (operation, body) => `${operation} ${Object.values(body).map(nameOf).join(' ')}`;
/** The end of a picture tells it from the few others. @param {string} picture */
const nameOf = (picture) => `${picture.length}${picture.slice(-24)}`;

/** One of each operation that can come up. @param {readonly string[]} pictures @returns {Operation[]} */
export function everyQuestion(pictures) {
  const all = [...pictures, broken];
  /** @type {Part[]} */
  const parts = [
    ...all.map((image) => ({ operation: /** @type {const} */ ('detect'), body: { image } })),
    ...all.map((image) => ({ operation: /** @type {const} */ ('moderate'), body: { image } })),
    ...all.flatMap((sourceImage) =>
      all.map((targetImage) => ({
        operation: /** @type {const} */ ('compare'),
        body: { sourceImage, targetImage },
      })),
    ),
  ];
  return parts.map((part, i) => single(`truth-${i}`, part));
}

/** What an account may have under way: beyond it nothing new is begun, so that an outage does not pile up for ever. */
const MOST_PENDING = 64;

/**
 * Begins requests at a steady rate, whatever becomes of those before, until it is over; each is pursued to its end.
 * @param {{ client: import('./client.mjs').Client, next: () => Operation, perSecond: number, isOver: () => boolean }} load
 * @returns {Promise<{ pursued: Pursued[], skipped: number }>} `skipped`: due, and not begun since too many were pending
 */
export async function drive({ client, next, perSecond, isOver }) {
  /** @type {Promise<Pursued>[]} */
  const all = [];
  let pending = 0;
  let skipped = 0;
  const begin = performance.now();
  for (let number = 1; !isOver(); number++) {
    if (pending < MOST_PENDING) {
      pending++;
      all.push(client.pursue(next()).finally(() => pending--));
    } else skipped++;
    // By the clock of the whole: what each wait takes too long would add up to a lower rate.
    const dueInMs = begin + (1e3 * number) / perSecond - performance.now();
    await new Promise((resolve) => setTimeout(resolve, dueInMs));
  }
  const pursued = await Promise.all(all);
  client.close();
  return { pursued, skipped };
}

/** As many as keep two workers busy. */
const PROBING = 8;

/**
 * What a service can do at most of such operations, by clients that ask again at once.
 * @param {import('./client.mjs').Client} client
 * @param {() => Operation} next
 * @param {number} ms
 */
export async function capacityOf(client, next, ms) {
  /** @type {Pursued[]} */
  const pursued = [];
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: PROBING }, async () => {
      while (performance.now() - begin < ms) pursued.push(await client.pursue(next()));
    }),
  );
  return { pursued, perSecond: (1e3 * pursued.length) / (performance.now() - begin) };
}

/** @param {readonly Pursued[]} pursued */
export function tally(pursued) {
  /** @type {Record<string, number>} */
  const all = {};
  for (const { answers } of pursued) {
    for (const [name, count] of Object.entries(answers)) all[name] = (all[name] ?? 0) + count;
  }
  return all;
}
