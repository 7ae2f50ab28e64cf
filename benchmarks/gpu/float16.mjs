/**
 * The accuracy that 16-bit floats cost: each model against itself in 32-bit floats, and one fold of LFW through the
 * pipeline in either. On a CPU, the models round explicitly, so the measurement needs no GPU.
 */

import { accuracyAt, bestThreshold, tarAt } from '../accuracy/verification.mjs';
import { atLeastOf, atMost } from '../lib/figures.mjs';
import { evenly, lfwImages, lfwMiddle, lfwPairs } from '../lib/material.mjs';
import { figure, percent } from '../lib/report.mjs';
import { clopperPearson } from '../lib/stats.mjs';
import { withRounding } from './half-rounding.mjs';
import { loadModels, needDevice, servingModels } from './serving.mjs';

const precisions = /** @type {const} */ (['float32', 'float16']);
const maxSide = 1536;
/** Proportion of each side of an LFW image that is kept: the labeled person is in its middle. */
const crop = 0.7;

/** @type {import('../lib/types').Measurement} */
export const float16 = {
  name: 'gpu/float16',
  question: 'How much accuracy do 16-bit floats cost?',
  conditions: { device: 'cpu', fold: 1, pairs: 600, images: 64 },
  quick: { images: 2, pairs: 8 },
  onDemand: true,

  async run({ device, fold, pairs: limit, images: count }, log) {
    await needDevice(device);
    const exact = await servingModels('float32');
    const half = device === 'cpu' ? await withRounding(exact) : await servingModels('float16');
    const served = { float32: exact, float16: half };
    const samples = evenly(lfwImages(), count).map(([name]) => name);
    const deviations = await measureDeviations(device, served, samples);
    const pairs = evenly(
      lfwPairs().filter((pair) => pair.fold === fold),
      limit,
    );
    const lfw = /** @type {any} */ ({});
    for (const precision of precisions) {
      lfw[precision] = await measureLfw(device, served[precision], pairs);
      log(`${precision}: TAR ${percent(lfw[precision].tar[0].tar)} at FMR 1e-3`);
    }
    const threshold = bestThreshold(lfw.float32.scored);
    for (const measured of Object.values(lfw)) measured.accuracy = accuracyAt(measured.scored, threshold);
    return { device, deviations, lfw, images: samples.length };
  },

  summarize: ({ device, deviations, lfw, images }, { fold }) => ({
    ...(device !== 'cpu' && { variant: device }),
    figures: [
      atLeastOf(
        'LFW TAR at FMR 1e-3 in 16-bit floats, against 32-bit floats less half a point',
        Math.round(lfw.float16.tar[0].tar * lfw.float16.genuine),
        lfw.float16.genuine,
        'genuine pairs',
        100 * lfw.float32.tar[0].tar - 0.5,
      ),
      atMost(
        'Largest deviation of a similarity in 16-bit floats',
        Math.max(...lfw.float16.scored.map(({ score }, i) => Math.abs(score - lfw.float32.scored[i].score))),
        '',
        0.02,
        { n: lfw.float16.scored.length, items: 'pairs' },
      ),
    ],
    tables: [
      {
        title: `LFW fold ${fold} on ${device}`,
        columns:
          'Floats | Accuracy | 95 % interval | TAR at FMR 1e-3 | TAR at FMR 1e-4 | Images without a face',
        rows: precisions.map((precision) => {
          const { accuracy, scored, tar, withoutFace, images: total } = lfw[precision];
          return [
            precision,
            percent(accuracy),
            clopperPearson(Math.round(accuracy * scored.length), scored.length)
              .map(percent)
              .join(' to '),
            percent(tar[0].tar),
            percent(tar[1].tar),
            `${withoutFace} of ${total}`,
          ];
        }),
        remark: `Accuracy: the ${lfw.float32.scored.length} pairs of the fold, at the threshold that suits them best in float32. TAR: all ${lfw.float32.genuine} genuine and ${lfw.float32.impostors} impostor pairs of the images of the fold. Images are cropped to their central ${percent(crop)}, and the largest face counts.`,
      },
      {
        title: 'Largest deviation of each model',
        columns: 'Model | Deviation',
        rows: deviations.map(({ id, deviation }) => [id, figure(deviation)]),
        remark: `Largest absolute difference of an output between 16-bit and 32-bit floats, divided by the largest absolute value of the output where that is above 1, on ${images} images of LFW stretched to the model's input.`,
      },
    ],
    data: { deviations },
  }),
};

/** Every model on whole images. */
async function measureDeviations(device, { float32: exact, float16: half }, names) {
  const { decodeImage } = await import('../../inference/dist/pipeline/image/decode.js');
  const { squeezeAll } = await import('../../inference/dist/pipeline/image/decoded-image.js');
  const { difference } = await import('../../inference/dist/compiler/verify.js');
  const images = await Promise.all(names.map(async (name) => decodeImage(await lfwMiddle(name, 1), maxSide)));
  const deviations = [];
  for (const [role, spec] of Object.entries(exact.models)) {
    const outputs = [];
    for (const models of [exact.models, half.models]) {
      const { [role]: model } = await loadModels(device, models, [role]);
      const { width, channels } = spec.input;
      const pixels = channels === 3 ? squeezeAll(images, width) : gray(squeezeAll(images, width));
      outputs.push(await model.run(pixels, images.length));
      await model.close();
    }
    const [expected, actual] = outputs;
    const worst = spec.outputs.map(({ name }) => difference(expected[name], actual[name]));
    deviations.push({ id: spec.id, role, deviation: Math.max(...worst) });
  }
  return deviations;
}

/** The green channel, for a model of gray images. @param {Uint8Array} rgb */
const gray = (rgb) => rgb.filter((_, i) => i % 3 === 1);

/** One fold through detection and embedding. */
async function measureLfw(device, { models: specs, manifestData }, pairs) {
  const { decodeImage } = await import('../../inference/dist/pipeline/image/decode.js');
  const { findFaces } = await import('../../inference/dist/pipeline/faces/find-faces.js');
  const { embedFaces } = await import('../../inference/dist/pipeline/faces/embed.js');
  const { distanceBetween, similarityOf } = await import('../../inference/dist/pipeline/faces/similarity.js');
  const models = await loadModels(device, specs, ['near', 'thorough', 'mesh', 'embedding']);
  const embedder = { model: models.embedding, alignments: manifestData.alignments };
  const names = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].sort();
  const embeddings = new Map();
  for (const name of names) {
    const image = await decodeImage(await lfwMiddle(name, crop), maxSide);
    const [[face]] = await findFaces(models, [image]);
    if (!face) continue;
    const [measured] = await embedFaces(embedder, [{ image, face }]);
    embeddings.set(name, measured.embedding);
  }
  for (const model of Object.values(models)) await model.close();
  const scoreOf = (a, b) => {
    const [from, to] = [embeddings.get(a), embeddings.get(b)];
    return from && to ? similarityOf(distanceBetween(from, to), manifestData.calibration) : 0;
  };
  const scored = pairs.map(({ a, b, same }) => ({ fold: 0, same, score: scoreOf(a, b) }));
  const all = everyPair([...embeddings.keys()]).map(([a, b]) => ({
    fold: 0,
    same: personOf(a) === personOf(b),
    score: -distanceBetween(embeddings.get(a), embeddings.get(b)),
  }));
  const genuine = all.filter(({ same }) => same).length;
  return {
    scored,
    images: names.length,
    withoutFace: names.length - embeddings.size,
    genuine,
    impostors: all.length - genuine,
    tar: [1e-3, 1e-4].map((fmr) => tarAt(all, fmr)),
  };
}

/** @param {string} name of an image of LFW */
const personOf = (name) => name.replace(/_\d+\.jpg$/, '');

/** @template T @param {readonly T[]} items @returns {[T, T][]} */
const everyPair = (items) => items.flatMap((a, i) => items.slice(i + 1).map((b) => [a, b]));
