/**
 * The class probabilities of POST /moderate against those of nsfwjs on the same pixels, and its reports on photos that
 * show nothing to report.
 */
import sharp from 'sharp';
import { mapConcurrently, moderateJob, withoutObjects } from '../lib/client.mjs';
import { atMost } from '../lib/figures.mjs';
import { annotatedPhotos, demoPhotos, evenly, lfwImage, lfwPeople } from '../lib/material.mjs';
import { Skip } from '../lib/skip.mjs';
import { withTier } from '../lib/tier.mjs';
import { withPeer } from '../peers/peer.mjs';

const CLASSES = ['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy'];
const CATEGORIES = ['Explicit', 'Suggestive', 'Violence'];
const THRESHOLD = 0.5;
/** Models that nsfwjs ships, with the side of their input. */
const MODELS = { MobileNetV2: 224, MobileNetV2Mid: 224, InceptionV3: 299 };

/** @type {import('../lib/types').Measurement} */
export const moderation = {
  name: 'accuracy/moderation',
  question: 'Are the classes of POST /moderate those of nsfwjs, and what does it report on ordinary photos?',
  conditions: { model: 'any', people: 600 },
  quick: { model: 'MobileNetV2Mid', people: 6 },

  async run({ model, people }, log) {
    const photos = demoPhotos();
    const names = model === 'any' ? Object.keys(MODELS) : [model];
    return withTier(async ({ client, workers }) => {
      const models = [];
      for (const name of names) models.push(await compareWith(client, name, photos));
      for (const one of models) log(`${one.model}: largest difference ${one.samePixels.toExponential(1)}`);
      const alarms = await countFalseAlarms(client, people, 2 * workers);
      const served = models.reduce((best, next) => (next.samePixels < best.samePixels ? next : best)).model;
      return { served, models, alarms };
    });
  },

  summarize({ served, models, alarms }) {
    const people = alarms.find(({ material }) => material === 'people of LFW');
    const explicit = people?.categories.find(({ type }) => type === 'Explicit');
    return {
      figures: [
        atMost(
          `Largest difference of a moderation class from nsfwjs (${served}), same pixels`,
          models.find(({ model }) => model === served).samePixels,
          '',
          1e-3,
        ),
      ],
      tables: [
        {
          title: 'Largest difference of a class probability',
          columns: 'nsfwjs model | Same pixels | Whole photos',
          rows: models.map((one) => [
            one.model === served ? `**${one.model}** (the one served)` : one.model,
            one.samePixels,
            one.wholePhotos,
          ]),
          remark:
            'Same pixels: photos resized to the input of the model and sent as PNG. Whole photos: each side resizes the 1920-pixel original in its own way, which explains the difference.',
        },
        {
          title: 'Reports on photos that show nothing to report, threshold 0.5',
          columns: `Material | Images | ${CATEGORIES.join(' | ')} | Highest confidence`,
          rows: alarms.map((row) => [
            row.material,
            row.images,
            ...row.categories.map(({ reported }) => reported),
            row.categories.map(({ type, highest }) => `${type} ${highest.toFixed(2)}`).join(', '),
          ]),
          remark:
            'One image of each person of LFW, evenly spread over their names. Nobody checked them for rightful reports. No material shows weapons, so misses of Violence are not measured.',
        },
      ],
      data: { falseAlarms: explicit?.reported, falseAlarmsN: people?.images },
    };
  },
};

async function countFalseAlarms(client, people, concurrency) {
  const rows = [];
  for (const { material, images } of ordinaryImages(people)) {
    const replies = await mapConcurrently(images, concurrency, async (read) => {
      const { reply } = await client.request(moderateJob(read()));
      return reply.elements;
    });
    const categories = CATEGORIES.map((type) => {
      const confidences = replies.map(
        (elements) => elements.find((element) => element.type === type)?.confidence ?? Number.NaN,
      );
      if (confidences.some(Number.isNaN)) throw new Error(`A response lacks the category ${type}.`);
      const reported = confidences.filter((confidence) => confidence >= THRESHOLD).length;
      return { type, reported, highest: Math.max(...confidences) };
    });
    rows.push({ material, images: images.length, categories });
  }
  return rows;
}

/** The available material. Each image is read when it is sent, because together they are large. */
function ordinaryImages(people) {
  const bytesOf = (photos) => photos.map((photo) => () => photo.bytes);
  const kinds = {
    'office photos': () => bytesOf(demoPhotos()),
    'annotated photos': () => bytesOf(annotatedPhotos()),
    'people of LFW': () => evenly(lfwPeople(), people).map((name) => () => lfwImage(name)),
  };
  return Object.entries(kinds).flatMap(([material, read]) => {
    try {
      return [{ material, images: read() }];
    } catch (error) {
      if (error instanceof Skip) return [];
      throw error;
    }
  });
}

async function compareWith(client, model, photos) {
  const side = MODELS[model];
  if (!side) throw new Error(`nsfwjs has no model "${model}": ${Object.keys(MODELS).join(', ')}.`);
  const resized = await Promise.all(
    photos.map(async ({ name, bytes }) => ({
      name,
      bytes: await sharp(bytes).resize(side, side, { fit: 'fill' }).png().toBuffer(),
    })),
  );
  const images = [...resized, ...photos];
  return withPeer({ name: 'nsfwjs', options: { model }, images }, async (peer) => {
    const theirs = await peer.results();
    const ours = [];
    for (const { bytes } of images)
      ours.push((await client.request(moderateJob(bytes, withoutObjects))).reply.probabilities);
    const differences = theirs.map((their, i) => difference(their, ours[i]));
    return {
      model,
      samePixels: Math.max(...differences.slice(0, resized.length)),
      wholePhotos: Math.max(...differences.slice(resized.length)),
    };
  });
}

function difference(theirs, ours) {
  const missing = CLASSES.find(
    (name) => typeof ours?.[name] !== 'number' || typeof theirs?.[name] !== 'number',
  );
  if (missing) throw new Error(`A probability of ${missing} is missing: ${JSON.stringify({ ours, theirs })}`);
  return Math.max(...CLASSES.map((name) => Math.abs(theirs[name] - ours[name])));
}
