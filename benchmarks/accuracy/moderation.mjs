/**
 * The class probabilities of POST /moderate against those of nsfwjs itself on the same pixels, and what it reports of
 * photographs that show nothing to report.
 */
import sharp from 'sharp';
import { Client, mapConcurrently, moderateJob, withoutObjects } from '../lib/client.mjs';
import { annotatedPhotographs, demoPhotographs, lfwPeople, lfwPicture } from '../lib/material.mjs';
import { withService } from '../lib/service.mjs';
import { Skip } from '../lib/skip.mjs';
import { withPeer } from '../peers/peer.mjs';

const CLASSES = ['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy'];
const CATEGORIES = ['Explicit', 'Suggestive', 'Violence'];
const THRESHOLD = 0.5;
/** Models that nsfwjs ships, with the side of their input. */
const MODELS = { MobileNetV2: 224, MobileNetV2Mid: 224, InceptionV3: 299 };

/** @typedef {Record<string, number>} Probabilities */

/** @type {import('../lib/types').Measurement} */
export const moderation = {
  name: 'accuracy/moderation',
  answers:
    'Are the classes of POST /moderate those of nsfwjs, and what does it report of ordinary photographs?',
  parameters: { model: 'any', people: 600 },

  async run({ model, people }, log) {
    const photographs = demoPhotographs();
    const names = model === 'any' ? Object.keys(MODELS) : [model];
    const { models, alarms } = await withService(async ({ url, workers }) => {
      const client = new Client(url);
      const compared = [];
      try {
        for (const name of names) compared.push(await compareWith(client, name, photographs));
        return { models: compared, alarms: await falseAlarms(client, people, 2 * workers) };
      } finally {
        client.close();
      }
    });
    for (const { material, pictures, categories } of alarms) {
      const counts = categories.map(({ type, reported }) => `${type} ${reported}`).join(', ');
      log(`${material}: of ${pictures}, ${counts}`);
    }
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
      figures: { served: served.model, models, alarms },
    };
  },

  report({ served, models, alarms }) {
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
      {
        title: 'Reported of photographs that show nothing to report, threshold 0.5',
        columns: ['Material', 'Pictures', ...CATEGORIES, 'Highest confidence'],
        rows: alarms.map((/** @type {Awaited<ReturnType<typeof falseAlarms>>[number]} */ row) => [
          row.material,
          row.pictures,
          ...row.categories.map(({ reported }) => reported),
          row.categories.map(({ type, highest }) => `${type} ${highest.toFixed(2)}`).join(', '),
        ]),
        remark:
          'One picture of each person of LFW, evenly spread over their names. Nobody looked through them for what might be rightly reported. There is no material here that shows weapons, so what Violence misses is not measured.',
      },
    ];
  },
};

/**
 * @param {Client} client
 * @param {number} people at most so many pictures of LFW
 * @param {number} concurrency
 */
async function falseAlarms(client, people, concurrency) {
  const rows = [];
  for (const { material, pictures } of ordinaryPictures(people)) {
    const replies = await mapConcurrently(pictures, concurrency, async (read) => {
      const { reply } = await client.ask(moderateJob(read()));
      return /** @type {{ type: string, confidence: number }[]} */ (reply.elements);
    });
    const categories = CATEGORIES.map((type) => {
      const confidences = replies.map(
        (elements) => elements.find((element) => element.type === type)?.confidence ?? Number.NaN,
      );
      if (confidences.some(Number.isNaN)) throw new Error(`An answer lacks the category ${type}.`);
      const reported = confidences.filter((confidence) => confidence >= THRESHOLD).length;
      return { type, reported, highest: Math.max(...confidences) };
    });
    rows.push({ material, pictures: pictures.length, categories });
  }
  return rows;
}

/**
 * What is there of the material; read one by one, since all of it together is large.
 * @param {number} people
 * @returns {{ material: string, pictures: (() => Buffer)[] }[]}
 */
function ordinaryPictures(people) {
  const kinds = {
    'office photographs': () =>
      demoPhotographs().map(
        ({ bytes }) =>
          () =>
            bytes,
      ),
    'annotated photographs': () =>
      annotatedPhotographs().map(
        ({ bytes }) =>
          () =>
            bytes,
      ),
    'people of LFW': () => {
      const all = lfwPeople();
      const step = Math.max(1, all.length / people);
      const chosen = Array.from(
        { length: Math.min(people, all.length) },
        (_, i) => all[Math.floor(i * step)],
      );
      return chosen.map((name) => () => lfwPicture(name));
    },
  };
  return Object.entries(kinds).flatMap(([material, read]) => {
    try {
      return [{ material, pictures: read() }];
    } catch (error) {
      if (error instanceof Skip) return [];
      throw error;
    }
  });
}

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
        const { reply } = await client.ask(moderateJob(bytes, withoutObjects));
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
