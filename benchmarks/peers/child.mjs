/** The process of one peer: answers the messages of `peer.mjs`, one at a time. */
import { readFileSync } from 'node:fs';

/** @typedef {(image: Buffer) => Promise<unknown>} Process decodes and analyses one encoded image */

/** @type {Process | undefined} */
let analyse;
/** @type {Buffer[]} */
let images = [];
/** What the peer said when it first saw the images. @type {unknown[]} */
const answers = [];

process.on('message', async (/** @type {any} */ message) => {
  try {
    process.send?.({ value: await answer(message) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

/** @param {any} message */
async function answer(message) {
  if (message.kind === 'load') {
    images = message.files.map((/** @type {string} */ file) => readFileSync(file));
    const { load } = await import(`./${message.name}.mjs`);
    analyse = await load(message.options);
    for (const image of images) answers.push(await analyse?.(image));
    return true;
  }
  return message.kind === 'run' ? run(message.seconds) : answers;
}

/** @param {number} seconds */
async function run(seconds) {
  const begin = performance.now();
  let done = 0;
  do {
    for (const image of images) await analyse?.(image);
    done += images.length;
  } while (performance.now() - begin < seconds * 1e3);
  const rssMiB = process.memoryUsage.rss() / 2 ** 20;
  return { images: done, seconds: (performance.now() - begin) / 1e3, rssMiB };
}
