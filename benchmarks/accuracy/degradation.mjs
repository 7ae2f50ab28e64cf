/** Comparisons of degraded images: how often they fail, and how often a warning says so. */
import { atLeastOf, atMost } from '../lib/figures.mjs';
import { evenly, LFW_SIDE, lfwImages, lfwMiddle } from '../lib/material.mjs';
import { startPipeline } from '../lib/pipeline.mjs';
import { figure, list, percent } from '../lib/report.mjs';
import { sampleOf } from '../lib/stats.mjs';
import { degradations } from './degradations.mjs';
import { distanceBetween, pairRates } from './pair-rates.mjs';

/** The default of the API, and the start of its strict range. */
const THRESHOLDS = [0.8, 0.9];
/** The false-match rate that the calibration promises at the default. */
const PROMISED_FMR = 1e-3;
/** Degraded images are unreliable if they miss their own person so many times as often as clean ones. */
const TOO_MANY_MISSES = 2;
/** Edges in degrees of the bins of a head's turn to the side. */
const TURNS = [0, 10, 20, 30, 40, 90];

/** @typedef {import('./pair-rates.mjs').DescribedImage & { boundingBox: { width: number } }} Described */
/** @typedef {import('./pair-rates.mjs').Rate} Rate */

/** @type {import('../lib/types').Measurement} */
export const degradation = {
  name: 'accuracy/degradation',
  question: 'How often do comparisons of degraded images fail, and how often does a warning say so?',
  conditions: { crop: 0.7, people: 400, precision: 'int8' },
  quick: { people: 30 },

  async run({ crop, people, precision }, log) {
    const images = evenly(lfwImages(), people).flatMap((names, person) =>
      names.map((name) => ({ name, person })),
    );
    const pipeline = await startPipeline(precision);
    try {
      return await measure(pipeline, { images, crop, log });
    } finally {
      await pipeline.close();
    }
  },

  summarize({ images, clean, degraded, turns }, { precision, crop }) {
    const isUnreliable = unreliableAgainst(clean);
    const unreliable = degraded.filter(isUnreliable);
    const total = (name) => unreliable.reduce((sum, condition) => sum + condition[name], 0);
    const share = (what, hits, n) => atMost(what, (100 * hits) / n, '%', 2, sampleOf(hits, n, 'images'));
    const all = [{ name: 'None', ...clean }, ...degraded];
    const [{ fmr, fnmr }] = clean.both;
    const sampled = `${images} images of LFW folds 1 to 3, the central ${percent(crop)} of each side, models in ${precision}; ${fnmr.n} pairs of one person and ${fmr.n} pairs of different people, in both orders where one image is degraded.`;
    return {
      figures: [
        atLeastOf(
          'Degraded images that are unreliable, with a warning',
          total('warned'),
          total('detected'),
          'images',
          95,
        ),
        share('Clean images with a warning', clean.warned, clean.detected),
        share(
          'Clean images that match all others of their person, with a warning',
          clean.rightWarned,
          clean.right,
        ),
      ],
      tables: [
        {
          title: 'Reliability',
          columns: 'Degradation | Unreliable | With a warning | Which, in per cent | No face',
          rows: all.map((condition) => [
            condition.name,
            unreliable.includes(condition) ? 'yes' : 'no',
            percent(condition.warned / condition.detected),
            list(
              Object.fromEntries(
                Object.entries(condition.warnings).map(([warning, count]) => [
                  warning,
                  (100 * count) / condition.detected,
                ]),
              ),
            ),
            images - condition.detected,
          ]),
          remark: `${sampled} The faces are 96 pixels wide in the median, and blur is in pixels of these images. Unreliable: FNMR at ${THRESHOLDS[0]} with one image degraded is more than ${TOO_MANY_MISSES} times that of clean images, or the interval of an FMR lies above the ${inThousands(PROMISED_FMR)} in a thousand of the calibration.`,
        },
        ...THRESHOLDS.map((threshold, i) =>
          errorsAt(threshold, all, ({ single, both }) => [single[i], both[i]]),
        ),
        turnedHeads(turns),
      ],
      data: { unreliable: unreliable.map(({ name }) => name) },
    };
  },
};

/** The table of one threshold. @param {number} threshold @param {readonly any[]} all @param {(degraded: any) => any[]} ratesOf */
const errorsAt = (threshold, all, ratesOf) => ({
  title: `Errors at ${threshold}`,
  columns:
    'Degradation | FNMR, one image degraded (95 %) | FMR, one | FNMR, both | FMR, both (95 %) | FMR, both, without a warning',
  rows: all.map((degraded) => {
    const [single, both] = ratesOf(degraded);
    return [
      degraded.name,
      withInterval(single.fnmr),
      inThousands(single.fmr.rate),
      percent(both.fnmr.rate),
      `${inThousands(both.fmr.rate)} (${both.fmr.interval.map(inThousands).join(' to ')})`,
      inThousands(both.fmr.silent / both.fmr.n),
    ];
  }),
  remark:
    'FMR in thousandths. Images without a face count in no rate. Without a warning: false matches between images that carry none, of all pairs.',
});

/** @param {readonly any[]} turns */
const turnedHeads = (turns) => ({
  title: 'Turned heads',
  columns: `Yaw, degrees | Images | With a warning | Genuine pairs | FNMR at ${THRESHOLDS[0]} (95 %) | FMR at ${THRESHOLDS[0]}, thousandths`,
  rows: turns.map(({ from, to, detected, warned, single: [{ fmr, fnmr }] }) => [
    `${from} to ${to}`,
    detected,
    percent(warned / detected),
    fnmr.n,
    withInterval(fnmr),
    inThousands(fmr.rate),
  ]),
  remark: 'Photographs as they are, each compared with all others. Few heads of LFW are turned further.',
});

/** @typedef {Awaited<ReturnType<typeof startPipeline>>} Pipeline */
/** @typedef {{ name: string, person: number }} Image */

/** @param {Pipeline} pipeline @param {{ images: readonly Image[], crop: number, log: (line: string) => void }} options */
async function measure(pipeline, { images, crop, log }) {
  const side = Math.round(LFW_SIDE * crop);
  const original = ({ name }) => lfwMiddle(name, crop);
  const ratesOf = (references, probes) =>
    THRESHOLDS.map((threshold) => pairRates(references, probes, pipeline.matchesAt(threshold)));
  const clean = await describeAll(pipeline, images, original);
  const cleanRates = ratesOf(clean, clean);
  const widths = new Map(clean.map(({ name, boundingBox }) => [name, side * boundingBox.width]));
  const degraded = [];
  for (const { name, apply } of degradations) {
    const probes = await describeAll(pipeline, images, async (image) =>
      apply({ png: await original(image), side, faceWidth: widths.get(image.name) ?? side / 2 }),
    );
    const single = ratesOf(clean, probes);
    const both = ratesOf(probes, probes);
    const [{ fmr, fnmr }] = both;
    log(`${name}: FMR ${percent(fmr.rate)}, FNMR ${percent(fnmr.rate)}, ${list(countsOf(probes).warnings)}`);
    degraded.push({ name, ...countsOf(probes), single, both });
  }
  const yaws = [];
  for (const image of clean) yaws.push(Math.abs((await pipeline.yawOf(await original(image))) ?? 0));
  const turns = TURNS.slice(1).map((to, i) => {
    const from = TURNS[i];
    const probes = clean.filter((_, at) => yaws[at] >= from && yaws[at] < to);
    return { from, to, ...countsOf(probes), single: ratesOf(clean, probes) };
  });
  const right = matchingAll(clean, pipeline.matchesAt(THRESHOLDS[0]));
  return {
    images: images.length,
    clean: {
      ...countsOf(clean),
      right: right.length,
      rightWarned: countsOf(right).warned,
      single: cleanRates,
      both: cleanRates,
    },
    degraded,
    turns,
  };
}

/**
 * The images that show a face, with its description.
 * @param {Pipeline} pipeline @param {readonly Image[]} images @param {(image: Image) => Promise<Buffer>} encode
 * @returns {Promise<Described[]>}
 */
async function describeAll(pipeline, images, encode) {
  const described = [];
  for (const image of images) {
    const face = await pipeline.describe(await encode(image));
    if (face) described.push({ ...image, ...face });
  }
  return described;
}

/** @param {readonly Described[]} images */
function countsOf(images) {
  /** @type {Record<string, number>} */
  const warnings = {};
  for (const warning of images.flatMap((image) => image.warnings))
    warnings[warning] = (warnings[warning] ?? 0) + 1;
  return {
    detected: images.length,
    warned: images.filter((image) => image.warnings.length > 0).length,
    warnings,
  };
}

/** Images that match every other image of their person. @param {readonly Described[]} images @param {(distance: number) => boolean} isMatch */
const matchingAll = (images, isMatch) =>
  images.filter((image) => {
    const others = images.filter(({ person, name }) => person === image.person && name !== image.name);
    return (
      others.length > 0 &&
      others.every(({ embedding }) => isMatch(distanceBetween(image.embedding, embedding)))
    );
  });

/** Whether degraded images are unreliable at the default threshold. */
const unreliableAgainst =
  (clean) =>
  ({ single, both }) =>
    single[0].fnmr.rate > TOO_MANY_MISSES * clean.single[0].fnmr.rate ||
    [single, both].some(([{ fmr }]) => fmr.interval[0] > PROMISED_FMR);

/** @param {Rate} rate */
const withInterval = ({ rate, interval }) => `${percent(rate)} (${interval.map(percent).join(' to ')})`;

/** @param {number} rate */
const inThousands = (rate) => figure(Number((1e3 * rate).toPrecision(3)));
