/**
 * The class probabilities of POST /moderate against those of nsfwjs on the same pixels, and its reports on photos that
 * show nothing to report: portraits, and everyday scenes.
 */
import sharp from 'sharp';
import { mapConcurrently, moderateJob, withoutObjects } from '../lib/client.mjs';
import { atMost } from '../lib/figures.mjs';
import { annotatedPhotos, demoPhotos, evenly, lfwImage, lfwPeople } from '../lib/material.mjs';
import { percent } from '../lib/report.mjs';
import { Skip } from '../lib/skip.mjs';
import { clopperPearson, sampleOf } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';
import { withPeer } from '../peers/peer.mjs';
import { EVERYDAY, everydayScenes } from './everyday-scenes.mjs';

const CLASSES = ['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy'];
const CATEGORIES = ['Explicit', 'Suggestive', 'Violence'];
/** The default of the API. */
const THRESHOLD = 0.5;
const THRESHOLDS = [THRESHOLD, 0.6, 0.7, 0.8, 0.9];
/** The share of everyday scenes that may be reported, in percent: one report in a hundred costs a reviewer little. */
const MOST_FALSE_ALARMS = 1;
const PEOPLE = 'people of LFW';
/** Models that nsfwjs ships, with the side of their input. */
const MODELS = { MobileNetV2: 224, MobileNetV2Mid: 224, InceptionV3: 299 };

/** @typedef {import('./everyday-scenes.mjs').Scene} Scene */

/** @type {import('../lib/types').Measurement} */
export const moderation = {
  name: 'accuracy/moderation',
  question:
    'Are the classes of POST /moderate those of nsfwjs, and what does it report on ordinary portraits and scenes?',
  conditions: { model: 'any', people: 600, scenes: 1000 },
  quick: { model: 'MobileNetV2Mid', people: 6, scenes: 6 },

  async run({ model, people, scenes: sceneCount }, log) {
    const photos = demoPhotos();
    const scenes = everydayScenes(sceneCount);
    const names = model === 'any' ? Object.keys(MODELS) : [model];
    return withTier(async ({ client, workers }) => {
      const models = [];
      for (const name of names) models.push(await compareWith(client, name, photos));
      for (const comparison of models)
        log(`${comparison.model}: largest difference ${comparison.samePixels.toExponential(1)}`);
      const served = models.reduce((best, next) => (next.samePixels < best.samePixels ? next : best)).model;
      const taken = [];
      for (const set of [...portraits(people), ...scenes])
        taken.push({ material: set.material, images: await moderateAll(client, set.images, 2 * workers) });
      return { served, models, taken };
    });
  },

  summarize({ served, models, taken }) {
    const imagesOf = (kind) => taken.find(({ material }) => material === kind)?.images ?? [];
    const people = imagesOf(PEOPLE);
    const scenes = imagesOf(EVERYDAY);
    const alarms = scenes.filter((image) => reported(image, CATEGORIES));
    return {
      figures: [
        atMost(
          `Largest difference of a moderation class from nsfwjs (${served}), same pixels`,
          models.find(({ model }) => model === served).samePixels,
          '',
          1e-3,
        ),
        alarmFigure('Everyday scenes that are reported, any category', scenes, CATEGORIES),
        ...CATEGORIES.map((type) =>
          alarmFigure(`Everyday scenes that are reported as ${type}`, scenes, [type]),
        ),
      ],
      tables: [
        {
          title: 'Largest difference of a class probability',
          columns: 'nsfwjs model | Same pixels | Whole photos',
          rows: models.map((comparison) => [
            comparison.model === served ? `**${comparison.model}** (the one served)` : comparison.model,
            comparison.samePixels,
            comparison.wholePhotos,
          ]),
          remark:
            'Same pixels: photos resized to the input of the model and sent as PNG. Whole photos: each side resizes the 1920-pixel original in its own way, which explains the difference.',
        },
        {
          title: `Reports on photos that show nothing to report, threshold ${THRESHOLD}`,
          columns: `Material | Images | ${CATEGORIES.join(' | ')} | Highest confidence`,
          rows: taken.map(({ material, images }) => [
            material,
            images.length,
            ...CATEGORIES.map((type) => images.filter((image) => reported(image, [type])).length),
            CATEGORIES.map((type) => `${type} ${highest(images, type).toFixed(2)}`).join(', '),
          ]),
          remark:
            'One image of each person of LFW, evenly spread over their names. Everyday scenes: one photo of each class of ImageNet. Reports of the last two kinds may be right: their classes are swimwear and underwear, and blades and bats. Nobody checked the other images for rightful reports. No material shows weapons on purpose, so misses of Violence are not measured.',
        },
        {
          title: 'Everyday scenes that are reported, by threshold',
          columns: `Threshold | Any category | 95 % | ${CATEGORIES.join(' | ')}`,
          rows: THRESHOLDS.map((threshold) => {
            const countOf = (types) => scenes.filter((image) => reported(image, types, threshold)).length;
            const all = countOf(CATEGORIES);
            return [
              threshold,
              `${all} of ${scenes.length}`,
              clopperPearson(all, scenes.length).map(percent).join(' to '),
              ...CATEGORIES.map((type) => countOf([type])),
            ];
          }),
        },
        {
          title: `Classes of the everyday scenes that are reported, threshold ${THRESHOLD}`,
          columns: 'Class | Reports',
          rows: alarms.map((image) => [
            image.label,
            CATEGORIES.filter((type) => reported(image, [type]))
              .map((type) => `${type} ${image.confidences[type].toFixed(2)}`)
              .join(', '),
          ]),
        },
      ],
      data: {
        falseAlarms: people.filter((image) => reported(image, ['Explicit'])).length,
        falseAlarmsN: people.length,
      },
    };
  },
};

/** @typedef {{ label: string, confidences: Record<string, number> }} Moderated */

/** @param {Moderated} image @param {readonly string[]} types @param {number} [threshold] */
const reported = ({ confidences }, types, threshold = THRESHOLD) =>
  types.some((type) => Number(confidences[type]) >= threshold);

/** @param {readonly Moderated[]} images @param {string} type */
const highest = (images, type) => Math.max(...images.map(({ confidences }) => Number(confidences[type])));

/** @param {string} name @param {readonly Moderated[]} images @param {readonly string[]} types */
function alarmFigure(name, images, types) {
  const hits = images.filter((image) => reported(image, types)).length;
  const rate = (100 * hits) / images.length;
  return atMost(name, rate, '%', MOST_FALSE_ALARMS, sampleOf(hits, images.length, 'images of ImageNet'));
}

/** @param {import('../lib/client.mjs').Client} client @param {readonly Scene[]} images @param {number} concurrency */
const moderateAll = (client, images, concurrency) =>
  mapConcurrently(images, concurrency, async ({ label, read }) => {
    const { reply } = await client.request(moderateJob(read()));
    return { label, confidences: confidencesOf(reply.elements) };
  });

/** @param {{ type: string, confidence: number }[]} elements */
function confidencesOf(elements) {
  const confidences = Object.fromEntries(elements.map(({ type, confidence }) => [type, confidence]));
  const missing = CATEGORIES.find((type) => typeof confidences[type] !== 'number');
  if (missing) throw new Error(`A response lacks the category ${missing}.`);
  return confidences;
}

/** The available portraits and photos of people. Each is read when it is sent, because together they are large. */
function portraits(people) {
  const labeled = (photos) => photos.map(({ name, bytes }) => ({ label: name, read: () => bytes }));
  const kinds = {
    'office photos': () => labeled(demoPhotos()),
    'annotated photos': () => labeled(annotatedPhotos()),
    [PEOPLE]: () => evenly(lfwPeople(), people).map((name) => ({ label: name, read: () => lfwImage(name) })),
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
