/** The process of one peer: serves the messages of `peer.mjs` one at a time. */
import { readFileSync } from 'node:fs';

/** Decodes and analyzes one encoded image. @type {((image: Buffer) => Promise<unknown>) | undefined} */
let analyze;
/** @type {Buffer[]} */
let images = [];
/** Results of the first pass. @type {unknown[]} */
const results = [];

process.on('message', async (/** @type {any} */ message) => {
  try {
    process.send?.({ value: await handlers[message.kind](message) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});

const handlers = {
  async load({ files, name, options }) {
    images = files.map((file) => readFileSync(file));
    const { load } = await import(`./${name}.mjs`);
    analyze = await load(options);
    for (const image of images) results.push(await analyze?.(image));
    return true;
  },

  async run({ seconds }) {
    const begin = performance.now();
    let done = 0;
    do {
      for (const image of images) await analyze?.(image);
      done += images.length;
    } while (performance.now() - begin < seconds * 1e3);
    return { images: done, seconds: (performance.now() - begin) / 1e3 };
  },

  results: async () => results,
};
