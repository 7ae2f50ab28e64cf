/** Labeled Faces in the Wild through the whole service: two encoded pictures in, one similarity out. */
import { Client, compareJob, mapConcurrently } from '../lib/client.mjs';
import { lfwMiddle, lfwPairs } from '../lib/material.mjs';
import { percent } from '../lib/report.mjs';
import { withService } from '../lib/service.mjs';
import { clopperPearson, deviation, sampleOf } from '../lib/stats.mjs';
import { crossValidate, ratesAt, rocPoints, tarAt } from './verification.mjs';

/** @typedef {import('../lib/material.mjs').Pair} Pair */

/** @type {import('../lib/types').Measurement} */
export const lfw = {
  name: 'accuracy/lfw',
  answers: 'How often does POST /compare tell same from different people on folds 1 to 3 of LFW?',
  parameters: { crop: 0.7, uncropped: true, concurrency: 4, pairs: 0 },

  async run({ crop, uncropped, concurrency, pairs: limit }, log) {
    const pairs = everyNth(lfwPairs(), limit);
    return withService(async ({ url }) => {
      const client = new Client(url);
      try {
        const cropped = await measure(client, pairs, { crop, concurrency });
        log(summary(`cropped to the central ${percent(crop)}`, cropped));
        const whole = uncropped ? await measure(client, pairs, { crop: 1, concurrency }) : undefined;
        if (whole) log(summary('whole pictures', whole));
        return { figures: { cropped, ...(whole ? { whole } : {}) } };
      } finally {
        client.close();
      }
    });
  },

  bars: ({ cropped: { accuracy, pairs, tar } }) => [
    {
      what: 'LFW accuracy, threshold from the other folds',
      value: 100 * accuracy,
      unit: '%',
      bar: 99.2,
      better: 'higher',
      sample: sampleOf(Math.round(accuracy * pairs), pairs, 'pairs'),
    },
    {
      what: 'LFW TAR at FMR 1e-3',
      value: 100 * tar[0].tar,
      unit: '%',
      bar: 97.5,
      better: 'higher',
      sample: sampleOf(
        Math.round(tar[0].tar * (pairs - tar[0].impostors)),
        pairs - tar[0].impostors,
        'genuine pairs',
      ),
    },
  ],

  report({ cropped, whole }) {
    const runs = [cropped, ...(whole ? [whole] : [])];
    return [
      {
        title: 'Accuracy',
        columns: [
          'Pictures',
          'Accuracy',
          '95 % interval',
          'Folds',
          'TAR at FMR 1e-3',
          'TAR at FMR 1e-2',
          'Pictures without a face',
        ],
        rows: runs.map((run) => [
          run.crop < 1 ? `central ${percent(run.crop)} of each side` : 'whole',
          `${percent(run.accuracy)} ± ${percent(run.accuracyDeviation)}`,
          intervalOf(run),
          run.folds.map((/** @type {{ accuracy: number }} */ { accuracy }) => percent(accuracy)).join(', '),
          percent(run.tar[0].tar),
          percent(run.tar[1].tar),
          `${run.withoutFace.length} of ${run.pictures}`,
        ]),
        remark:
          'The labelled person of an LFW picture is the one in its middle, and comparison takes the largest face of the source, so pictures are cropped to their central part first. Where a target shows several faces, the most similar one counts. A pair in which no face was found counts as similarity 0. TAR at 1e-3: none of the impostor pairs may be accepted. ± is the standard deviation between folds.',
      },
      {
        title: 'Threshold',
        columns: ['Similarity threshold', 'FMR', 'FNMR'],
        rows: cropped.rates.map((/** @type {{ threshold: number, fmr: number, fnmr: number }} */ rate) => [
          rate.threshold,
          percent(rate.fmr),
          percent(rate.fnmr),
        ]),
        remark: `Of ${cropped.tar[0].impostors} impostor pairs: a rate of 0 means below ${percent(3 / cropped.tar[0].impostors)} with 95 % confidence.`,
      },
      {
        title: 'ROC',
        columns: ['FMR allowed', 'TAR', 'Similarity above'],
        rows: cropped.roc.map((/** @type {{ fmr: number, tar: number, above: number }} */ point) => [
          percent(point.fmr),
          percent(point.tar),
          point.above,
        ]),
      },
    ];
  },
};

/**
 * A part of the pairs for a quick look, spread over folds and kinds; 0: all of them.
 * @param {Pair[]} pairs
 * @param {number} limit
 */
const everyNth = (pairs, limit) =>
  limit > 0 ? pairs.filter((_, i) => i % Math.ceil(pairs.length / limit) === 0) : pairs;

/** @param {{ accuracy: number, pairs: number }} run */
const intervalOf = ({ accuracy, pairs }) =>
  clopperPearson(Math.round(accuracy * pairs), pairs)
    .map(percent)
    .join(' to ');

/** @param {string} what @param {Awaited<ReturnType<typeof measure>>} run */
const summary = (what, { accuracy, tar, withoutFace }) =>
  `${what}: accuracy ${percent(accuracy)}, TAR ${percent(tar[0].tar)} at FMR 1e-3, ${withoutFace.length} pictures without a face`;

/**
 * @param {Client} client
 * @param {Pair[]} pairs
 * @param {{ crop: number, concurrency: number }} options
 */
async function measure(client, pairs, { crop, concurrency }) {
  /** @type {Map<string, Promise<Buffer>>} */
  const prepared = new Map();
  /** @param {string} name */
  const picture = (name) => {
    const ready = prepared.get(name) ?? lfwMiddle(name, crop);
    prepared.set(name, ready);
    return ready;
  };
  /** @type {Set<string>} */
  const withoutFace = new Set();
  const scored = await mapConcurrently(pairs, concurrency, async ({ fold, a, b, same }) => {
    const job = compareJob(await picture(a), await picture(b));
    const { status, reply } = await client.ask(job, [200, 422]);
    if (status === 200 && reply.targets.length > 0) {
      const score = Math.max(...reply.targets.map((/** @type {{ similarity: number }} */ t) => t.similarity));
      return { fold, same, score };
    }
    if (status === 422 && reply.error.code !== 'NO_FACE_DETECTED') {
      throw new Error(`The pair ${a}, ${b} was refused: ${JSON.stringify(reply.error)}`);
    }
    withoutFace.add(reply.error?.reason === 'source' ? a : b);
    return { fold, same, score: 0 };
  });
  const { folds, accuracy } = crossValidate(scored);
  return {
    crop,
    pairs: scored.length,
    pictures: prepared.size,
    withoutFace: [...withoutFace].sort(),
    accuracy,
    accuracyDeviation: deviation(folds.map((fold) => fold.accuracy)),
    folds,
    tar: [tarAt(scored, 1e-3), tarAt(scored, 1e-2)],
    roc: rocPoints(scored),
    rates: Array.from({ length: 21 }, (_, i) => ratesAt(scored, i / 20)),
    scores: folds.map(({ fold }) => ({
      fold,
      genuine: scored.filter((pair) => pair.fold === fold && pair.same).map(({ score }) => score),
      impostor: scored.filter((pair) => pair.fold === fold && !pair.same).map(({ score }) => score),
    })),
  };
}
