/**
 * What was measured, in words for a page: the text of a figure, and whether it keeps a claim. Both are resolved while
 * the site is built, so that pages load no raw numbers, and a new measurement changes every page that names it.
 */

import { highlight } from './highlight.mjs';

/** @typedef {{ what: string, value: number, unit: string, bar: number, better: 'higher' | 'lower' }} Bar */
/** @typedef {{ measurement: string, bars: string[], complement?: boolean | null }} Figure */
/** @typedef {{ target: number, unit: string, better: 'higher' | 'lower', figure: Figure | null }} Claim */

const MILLISECONDS = { s: 1000, ms: 1 };

export const measuredResolvers = {
  MeasuredFigure: {
    text: {
      type: 'String',
      resolve: async (/** @type {Figure} */ figure, /** @type {unknown} */ _, /** @type {any} */ context) => {
        const read = await readFigure(figure, context);
        return read && formatMeasured(read.value, read.unit);
      },
    },
    result: {
      type: 'BenchmarkResult',
      resolve: (/** @type {Figure} */ figure, /** @type {unknown} */ _, /** @type {any} */ context) =>
        findResult(figure, context),
    },
  },
  Claim: {
    status: {
      type: 'String!',
      resolve: async (/** @type {Claim} */ claim, /** @type {unknown} */ _, /** @type {any} */ context) => {
        const read = claim.figure && (await readFigure(claim.figure, context));
        return read ? statusOf(claim, read) : 'unmeasured';
      },
    },
  },
  BenchmarkCommand: {
    html: {
      type: 'String!',
      resolve: (/** @type {{ command: string }} */ { command }) => highlight(command, 'bash'),
    },
  },
  BenchmarkBar: {
    reached: {
      type: 'Boolean!',
      resolve: (/** @type {Bar} */ { value, bar, better }) =>
        better === 'higher' ? value >= bar : value <= bar,
    },
    seenText: { type: 'String!', resolve: (/** @type {Bar} */ bar) => formatMeasured(bar.value, bar.unit) },
    barText: { type: 'String!', resolve: (/** @type {Bar} */ bar) => formatMeasured(bar.bar, bar.unit) },
  },
};

/**
 * The mean of the named bars; with `complement`, what is left of 100: the accuracy that error rates in per cent leave
 * (with APCER and BPCER it is 100 - ACER, ISO/IEC 30107-3).
 * @param {Figure} figure @param {any} context
 * @returns {Promise<{ value: number, unit: string } | null>} null where it was not measured
 */
async function readFigure(figure, context) {
  const result = await findResult(figure, context);
  if (!result) return null;
  const bars = figure.bars.map((name) => {
    const bar = result.bars.find((/** @type {Bar} */ { what }) => what === name);
    if (!bar) throw new Error(`${figure.measurement} has no bar named "${name}".`);
    return bar;
  });
  const mean = bars.reduce((sum, { value }) => sum + value, 0) / bars.length;
  return { value: figure.complement ? 100 - mean : mean, unit: bars[0].unit };
}

/** @param {Figure} figure @param {any} context */
const findResult = ({ measurement }, context) =>
  context.nodeModel.findOne({ type: 'BenchmarkResult', query: { filter: { name: { eq: measurement } } } });

/**
 * @param {{ target: number, unit: string, better: 'higher' | 'lower' }} claim
 * @param {{ value: number, unit: string }} seen
 * @returns {'reached' | 'missed'}
 */
function statusOf(claim, seen) {
  const [target, value] = [inBase(claim.target, claim.unit), inBase(seen.value, seen.unit)];
  return (claim.better === 'higher' ? value >= target : value <= target) ? 'reached' : 'missed';
}

/** @param {number} value @param {string} unit */
const inBase = (value, unit) => value * (MILLISECONDS[/** @type {'s' | 'ms'} */ (unit)] ?? 1);

/**
 * Four significant digits, as in benchmarks/results/RESULTS.md.
 * @param {number} value @param {string} unit
 */
function formatMeasured(value, unit) {
  const small = value !== 0 && Math.abs(value) < 1e-3;
  const digits = small
    ? value.toExponential(1)
    : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
  return unit === '%' || unit === 'x' ? `${digits}${unit}` : `${digits} ${unit}`.trim();
}
