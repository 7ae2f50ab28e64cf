/** Labeled Faces in the Wild through the inference tier: two encoded images in, one similarity out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareJob, mapConcurrently } from '../lib/client.mjs';
import { atLeastOf } from '../lib/figures.mjs';
import { lfwMiddle, lfwPairs } from '../lib/material.mjs';
import { ROOT } from '../lib/paths.mjs';
import { percent } from '../lib/report.mjs';
import { clopperPearson, deviation } from '../lib/stats.mjs';
import { modelsEnv, modelsVariant, ownModels, withTier } from '../lib/tier.mjs';
import { crossValidate, ratesAt, tarAt } from './verification.mjs';

const { thresholds } = JSON.parse(readFileSync(join(ROOT, 'gateway', 'contract', 'limits.json'), 'utf8'));

/** @type {import('../lib/types').Measurement} */
export const lfw = {
  name: 'accuracy/lfw',
  question: 'How often does POST /compare distinguish same from different people on folds 1 to 3 of LFW?',
  conditions: { crop: 0.7, uncropped: true, concurrency: 4, pairs: 0, ...ownModels },
  quick: { pairs: 60, uncropped: false },

  async run({ crop, uncropped, concurrency, pairs: limit, ...models }, log) {
    const pairs = everyNth(lfwPairs(), limit);
    const compare = async ({ client }) => {
      const cropped = await measure(client, pairs, { crop, concurrency });
      log(describe(`cropped to the central ${percent(crop)}`, cropped));
      const whole = uncropped && (await measure(client, pairs, { crop: 1, concurrency }));
      if (whole) log(describe('whole images', whole));
      return { cropped, ...(whole && { whole }) };
    };
    return withTier(compare, { env: modelsEnv(models) });
  },

  summarize({ cropped, whole }, models) {
    const { accuracy, folds, pairs, rates, tar } = cropped;
    const [{ impostors }] = tar;
    const genuine = pairs - impostors;
    const runs = [cropped, ...(whole ? [whole] : [])];
    return {
      figures: [
        atLeastOf(
          'LFW accuracy, threshold from the other folds',
          Math.round(accuracy * pairs),
          pairs,
          'pairs',
          99.45,
        ),
        ...(whole
          ? [
              atLeastOf(
                'LFW accuracy, whole images',
                Math.round(whole.accuracy * whole.pairs),
                whole.pairs,
                'pairs',
                99.5,
              ),
            ]
          : []),
        atLeastOf('LFW TAR at FMR 1e-3', Math.round(tar[0].tar * genuine), genuine, 'genuine pairs', 97.5),
      ],
      tables: [
        {
          title: 'Accuracy',
          columns:
            'Images | Accuracy | 95 % interval | Folds | TAR at FMR 1e-3 | TAR at FMR 1e-2 | Images without a face',
          rows: runs.map((run) => [
            run.crop < 1 ? `central ${percent(run.crop)} of each side` : 'whole',
            `${percent(run.accuracy)} ± ${percent(run.accuracyDeviation)}`,
            clopperPearson(Math.round(run.accuracy * run.pairs), run.pairs)
              .map(percent)
              .join(' to '),
            run.folds.map((fold) => percent(fold.accuracy)).join(', '),
            percent(run.tar[0].tar),
            percent(run.tar[1].tar),
            `${run.withoutFace.length} of ${run.images}`,
          ]),
          remark:
            'The labeled person of an LFW image is in its middle and comparison takes the largest face of the source, so images are cropped to their central part first. Where a target shows several faces, the most similar one counts. A pair without a face counts as similarity 0. TAR at 1e-3: no impostor pair may be accepted. ± is the standard deviation between folds.',
        },
        {
          title: 'Threshold',
          columns: 'Similarity threshold | FMR | FNMR',
          rows: rates.map((rate) => [rate.threshold, percent(rate.fmr), percent(rate.fnmr)]),
          remark: `A rate of 0 means less than ${percent(3 / impostors)} of ${impostors} impostor pairs, with 95 % confidence.`,
        },
      ],
      data: {
        folds: `${folds[0].fold} to ${folds.at(-1).fold}`,
        impostorPairs: impostors,
        genuinePairs: genuine,
        atDefault: rates.find(({ threshold }) => threshold === thresholds.similarityDefault),
      },
      ...modelsVariant(models),
    };
  },
};

/** A part of the pairs for a quick look, spread over folds and kinds; 0: all of them. */
const everyNth = (pairs, limit) =>
  limit > 0 ? pairs.filter((_, i) => i % Math.ceil(pairs.length / limit) === 0) : pairs;

const describe = (what, { accuracy, tar, withoutFace }) =>
  `${what}: accuracy ${percent(accuracy)}, TAR ${percent(tar[0].tar)} at FMR 1e-3, ${withoutFace.length} images without a face`;

/** @param {import('../lib/client.mjs').Client} client @param {import('../lib/material.mjs').Pair[]} pairs */
async function measure(client, pairs, { crop, concurrency }) {
  const prepared = new Map();
  const imageOf = (name) => {
    if (!prepared.has(name)) prepared.set(name, lfwMiddle(name, crop));
    return prepared.get(name);
  };
  const withoutFace = new Set();
  const scored = await mapConcurrently(pairs, concurrency, async ({ fold, a, b, same }) => {
    const job = compareJob(await imageOf(a), await imageOf(b));
    const { status, reply } = await client.request(job, [200, 422]);
    if (status === 200 && reply.targets.length > 0)
      return { fold, same, score: Math.max(...reply.targets.map(({ similarity }) => similarity)) };
    if (status === 422 && reply.error.code !== 'NO_FACE_DETECTED')
      throw new Error(`The pair ${a}, ${b} was rejected: ${JSON.stringify(reply.error)}`);
    withoutFace.add(reply.error?.reason === 'source' ? a : b);
    return { fold, same, score: 0 };
  });
  const { folds, accuracy } = crossValidate(scored);
  return {
    crop,
    pairs: scored.length,
    images: prepared.size,
    withoutFace: [...withoutFace].sort(),
    accuracy,
    accuracyDeviation: deviation(folds.map((fold) => fold.accuracy)),
    folds,
    tar: [tarAt(scored, 1e-3), tarAt(scored, 1e-2)],
    rates: Array.from({ length: 21 }, (_, i) => ratesAt(scored, i / 20)),
    scored,
  };
}
