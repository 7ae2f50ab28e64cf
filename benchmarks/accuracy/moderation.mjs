/** The class probabilities of POST /moderate against those of nsfwjs itself on the same pixels. */
import sharp from 'sharp';
import { Client, moderateJob } from '../lib/client.mjs';
import { demoPhotographs } from '../lib/material.mjs';
import { withService } from '../lib/service.mjs';
import { withPeer } from '../peers/peer.mjs';

const CLASSES = ['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy'];
/** Models that nsfwjs ships, with the side of their input. */
const MODELS = { MobileNetV2: 224, MobileNetV2Mid: 224, InceptionV3: 299 };

/** @typedef {Record<string, number>} Probabilities */

/** @type {import('../lib/types').Measurement} */
export const moderation = {
  name: 'accuracy/moderation',
  answers: 'Are the class probabilities of POST /moderate those of nsfwjs on the same pixels?',
  parameters: { model: 'any' },

  async run({ model }, log) {
    const photographs = demoPhotographs();
    const names = model === 'any' ? Object.keys(MODELS) : [model];
    const models = await withService(async ({ url }) => {
      const client = new Client(url);
      const compared = [];
      try {
        for (const name of names) compared.push(await compareWith(client, name, photographs));
      } finally {
        client.close();
      }
      return compared;
    });
    for (const { model: name, samePixels } of models)
      log(`${name}: largest difference ${samePixels.toExponential(1)}`);
    const served = models.reduce((best, next) => (next.samePixels < best.samePixels ? next : best));
    return {
      bars: [
        {
          what: `Largest difference of a moderation class from nsfwjs (${served.model}), same pixels`,
          value: served.samePixels,
          unit: '',
          bar: 1e-3,
          better: 'lower',
        },
      ],
      figures: { served: served.model, models },
    };
  },

  report({ served, models }) {
    return [
      {
        title: 'Largest difference of a class probability',
        columns: ['nsfwjs model', 'Same pixels', 'Whole photographs'],
        rows: models.map(
          (/** @type {{ model: string, samePixels: number, wholePhotographs: number }} */ m) => [
            m.model === served ? `**${m.model}** (the one served)` : m.model,
            m.samePixels,
            m.wholePhotographs,
          ],
        ),
        remark:
          'Same pixels: photographs resized beforehand to the input of the model and sent as PNG. Whole photographs: each side resizes the 1920-pixel original in its own way, which is where the difference comes from.',
      },
    ];
  },
};

/**
 * @param {Client} client
 * @param {string} model
 * @param {import('../lib/material.mjs').Picture[]} photographs
 */
async function compareWith(client, model, photographs) {
  const side = MODELS[/** @type {keyof typeof MODELS} */ (model)];
  if (!side) throw new Error(`nsfwjs has no model "${model}": ${Object.keys(MODELS).join(', ')}.`);
  const resized = await Promise.all(
    photographs.map(async ({ name, bytes }) => ({
      name,
      bytes: await sharp(bytes).resize(side, side, { fit: 'fill' }).png().toBuffer(),
    })),
  );
  return withPeer(
    { name: 'nsfwjs', options: { model }, images: [...resized, ...photographs] },
    async (peer) => {
      const theirs = /** @type {Probabilities[]} */ (await peer.answers());
      /** @type {Probabilities[]} */
      const ours = [];
      for (const { bytes } of [...resized, ...photographs]) {
        const { reply } = await client.ask(moderateJob(bytes));
        ours.push(/** @type {Probabilities} */ (reply.probabilities));
      }
      const differences = theirs.map((their, i) => difference(their, ours[i]));
      return {
        model,
        side,
        samePixels: Math.max(...differences.slice(0, resized.length)),
        wholePhotographs: Math.max(...differences.slice(resized.length)),
        differences,
      };
    },
  );
}

/** @param {Probabilities} theirs @param {Probabilities} ours */
function difference(theirs, ours) {
  const missing = CLASSES.find(
    (name) => typeof ours?.[name] !== 'number' || typeof theirs?.[name] !== 'number',
  );
  if (missing) throw new Error(`A probability of ${missing} is missing: ${JSON.stringify({ ours, theirs })}`);
  return Math.max(...CLASSES.map((name) => Math.abs(theirs[name] - ours[name])));
}
