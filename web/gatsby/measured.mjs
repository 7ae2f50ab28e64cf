/**
 * Formats measured figures for pages, and decides the status of each claim. The build resolves all of it, so that pages
 * load no raw numbers, and a new measurement changes every page that names it.
 */
import { createNodes } from './create-nodes.mjs';
import { highlight } from './highlight.mjs';
import { formatMeasured, MEASURED, measuredFigure, readResults } from './measured-figures.mjs';

/** @typedef {import('./measured-figures.mjs').Figure} Figure */
/** @typedef {import('./measured-figures.mjs').Sample} Sample */
/**
 * @typedef {{ value: number, unit: string, better: 'higher' | 'lower', figure: string, complement?: boolean }} Target
 * @typedef {{ claimId: string, figure?: string, state?: string, target?: Partial<Target> }} Claim
 */

/** The summaries of measurements: when, on which machine, and the figures. @param {import('gatsby').SourceNodesArgs} api */
export async function sourceBenchmarks(api) {
  const results = await readResults();
  createNodes(
    api,
    'BenchmarkResult',
    results.map(({ tables, charts, data, conditions, ...result }) => result),
  );
}

const MILLISECONDS = { s: 1000, ms: 1 };

export const measuredResolvers = {
  Claim: {
    status: {
      type: 'String!',
      resolve: async (/** @type {Claim} */ claim, /** @type {unknown} */ _, /** @type {any} */ context) =>
        claim.state ?? statusOf(claim, await findResults(context)),
    },
    result: {
      type: 'BenchmarkResult',
      resolve: async (
        /** @type {Claim} */ { figure },
        /** @type {unknown} */ _,
        /** @type {any} */ context,
      ) => {
        if (!figure) return null;
        const [name] = MEASURED[figure] ?? [];
        return (await findResults(context)).find((result) => result.name === name) ?? null;
      },
    },
  },
  BenchmarkCommand: {
    html: {
      type: 'String!',
      resolve: (/** @type {{ command: string }} */ { command }) => highlight(command, 'bash'),
    },
  },
  BenchmarkFigure: {
    reached: {
      type: 'Boolean!',
      resolve: (/** @type {Figure} */ { value, target, better }) =>
        better === 'higher' ? value >= target : value <= target,
    },
    valueText: {
      type: 'String!',
      resolve: (/** @type {Figure} */ { value, unit }) => formatMeasured(value, unit),
    },
    targetText: {
      type: 'String!',
      resolve: (/** @type {Figure} */ { target, unit }) => formatMeasured(target, unit),
    },
    sampleText: {
      type: 'SampleText',
      resolve: (/** @type {Figure} */ { sample, unit }) => sample && sampleText(sample, unit),
    },
  },
};

/** @param {any} context */
async function findResults({ nodeModel }) {
  const { entries } = await nodeModel.findAll({ type: 'BenchmarkResult', query: {} });
  return Array.from(entries);
}

/**
 * Against its target, a figure has reached it only if its whole interval has. A figure that looks good on a sample that
 * is too small to say so is `open`.
 * @param {Claim} claim @param {any[]} results
 * @returns {'measured' | 'unmeasured' | 'reached' | 'open' | 'missed'}
 */
export function statusOf({ claimId, figure, target }, results) {
  if (!figure) return 'unmeasured';
  if (!target) return 'measured';
  if (target.value === undefined || !target.unit)
    throw new Error(`The claim ${claimId} has a figure, and a target without a number.`);
  const { value, unit, sample } = measuredFigure(results, target.figure ?? figure);
  const measured = (/** @type {number} */ amount) => inBase(target.complement ? 100 - amount : amount, unit);
  const wanted = inBase(target.value, target.unit);
  const keeps = (/** @type {number} */ amount) =>
    target.better === 'higher' ? measured(amount) >= wanted : measured(amount) <= wanted;
  if (!keeps(value)) return 'missed';
  return (sample?.interval ?? [value]).every(keeps) ? 'reached' : 'open';
}

/** @param {number} value @param {string} unit */
const inBase = (value, unit) => value * (MILLISECONDS[/** @type {'s' | 'ms'} */ (unit)] ?? 1);

/** @param {Sample} sample @param {string} unit */
function sampleText({ n, items, hits, interval, range }, unit) {
  const [low, high] = interval ?? range ?? [];
  return {
    count: `${hits === undefined ? '' : `${hits.toLocaleString('en-US')} of `}${n.toLocaleString('en-US')} ${items}`,
    isInterval: interval !== undefined,
    low: low === undefined ? null : formatMeasured(low, ''),
    high: high === undefined ? null : formatMeasured(high, unit),
  };
}
