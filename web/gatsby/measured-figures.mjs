/**
 * Measured figures that the site quotes: each names a bar of a measurement, and so comes with its sample, machine and
 * commit. Texts say `{lfw}` for the figure, and `{lfwN}`, `{lfwHits}`, `{lfwLow}`, `{lfwHigh}` for what it rests on.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readContractFile } from './contract-file.mjs';
import { formatMeasured } from './format-measured.mjs';

const RESULTS = fileURLToPath(new URL('../../benchmarks/results', import.meta.url));
const LIST = new Intl.ListFormat('en-US');

/**
 * @typedef {{ n: number, of: string, hits?: number, interval?: [number, number], range?: [number, number] }} Sample
 * @typedef {{ what: string, value: number, unit: string, bar: number, better: 'higher' | 'lower', sample?: Sample }} Bar
 * @typedef {{ name: string, variant?: string, bars: Bar[], figures: any, parameters: any }} Result
 */

/** By the name that content uses: the measurement and its bar. @type {Readonly<Record<string, [string, string]>>} */
export const MEASURED = {
  attacks: [
    'liveness/presentations',
    'APCER, 95 % upper bound, worst of the species that do not follow the instructions',
  ],
  puppets: ['liveness/presentations', 'APCER, puppets that follow the instructions'],
  recordings: ['liveness/recordings', 'APCER, recordings in the order asked'],
  visits: ['liveness/visits', 'Rendered visitors that pass'],
  captureTime: ['liveness/visits', 'Longest capture'],
  verdictTime: ['liveness/visits', 'Longest wait for the outcome'],
  lfw: ['accuracy/lfw', 'LFW accuracy, threshold from the other folds'],
  faces: ['accuracy/detection', 'Annotated noses inside a returned box'],
  compareTime: ['speed/latency', 'compare (two selfies), p95, idle machine'],
  detectTime: ['speed/latency', 'detect, p95, idle machine'],
  moderateTime: ['speed/latency', 'moderate, p95, idle machine'],
  startTime: ['speed/start', 'Start to ready, models compiled'],
  billedWrongly: [
    'gateway/metering-chaos',
    'Units billed otherwise than answered after 20 kills, account with overage',
  ],
};

/** @returns {Promise<Result[]>} by name and variant */
export async function readResults() {
  const files = await readdir(RESULTS, { recursive: true });
  const results = files.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(results.map(async (file) => JSON.parse(await readFile(join(RESULTS, file), 'utf8'))));
}

/** @returns {Promise<Readonly<Record<string, string>>>} by name */
export async function readMeasuredFigures() {
  const [results, limits] = await Promise.all([readResults(), readContractFile('limits')]);
  const read = (/** @type {string} */ name) => resultNamed(results, name);
  return {
    ...livenessFigures(read),
    ...matchingFigures(read, limits.thresholds.similarityDefault),
    ...detectionFigures(read),
    ...moderationFigures(read),
    ...serviceFigures(read),
    ...Object.assign({}, ...Object.keys(MEASURED).map((name) => figuresOf(results, name))),
  };
}

/**
 * @param {readonly Result[]} results @param {string} name of MEASURED
 * @returns {Bar}
 * @throws Error for a name, a measurement or a bar that is not there
 */
export function measuredBar(results, name) {
  const [measurement, what] = MEASURED[name] ?? [];
  const bar = resultNamed(results, String(measurement)).bars.find(
    (/** @type {Bar} */ one) => one.what === what,
  );
  if (!bar) throw new Error(`No measured figure is named ${name}: ${measurement} has no bar "${what}".`);
  return bar;
}

/** @param {readonly Result[]} results @param {string} name */
function figuresOf(results, name) {
  const { value, unit, sample } = measuredBar(results, name);
  if (!sample) throw new Error(`The measured figure ${name} does not say what it rests on.`);
  const [low, high] = sample.interval ?? sample.range ?? [];
  return {
    [name]: quote(value, unit, sample),
    [`${name}N`]: sample.n.toLocaleString('en-US'),
    ...(sample.hits !== undefined && { [`${name}Hits`]: sample.hits.toLocaleString('en-US') }),
    ...(low !== undefined && {
      [`${name}Low`]: quote(low, sample.range ? '' : unit, sample),
      [`${name}High`]: quote(Number(high), unit, sample),
    }),
  };
}

/**
 * In as many digits as the sample supports: a percentage has two decimals from a thousand on, other figures have three
 * digits.
 * @param {number} value @param {string} unit @param {Sample} sample
 */
function quote(value, unit, { n, interval }) {
  if (interval) return formatMeasured(Number(value.toFixed(n < 1000 ? 1 : 2)), unit);
  return formatMeasured(Number(value.toPrecision(3)), unit);
}

/** @typedef {(name: string) => any} Read the result of a measurement */

/** What a presentation attack looked like. @param {Read} read */
function livenessFigures(read) {
  const attacks = read('liveness/presentations').figures.bySpecies.filter(
    (/** @type {{ genuine: boolean }} */ { genuine }) => !genuine,
  );
  const names = attacks.map((/** @type {{ species: string }} */ { species }) => species);
  return { attackSpecies: LIST.format(names), attackSpeciesCount: String(names.length) };
}

/** What similarity does at a threshold, in pairs of LFW. @param {Read} read @param {number} threshold */
function matchingFigures(read, threshold) {
  const { figures, parameters } = read('accuracy/lfw');
  const { folds, pairs, rates, tar } = figures.cropped;
  const [{ impostors: strangers }] = tar;
  const rate = rates.find((/** @type {{ threshold: number }} */ one) => one.threshold === threshold);
  if (!rate) throw new Error(`accuracy/lfw has no rates at the default threshold of ${threshold}.`);
  return {
    lfwFolds: `${folds[0].fold} to ${folds.at(-1).fold}`,
    lfwCrop: `${100 * parameters.crop}%`,
    strangerPairs: String(strangers),
    strangersMatched: String(Math.round(rate.fmr * strangers)),
    samePairs: String(pairs - strangers),
    sameRejected: String(Math.round(rate.fnmr * (pairs - strangers))),
  };
}

/** @param {Read} read */
function detectionFigures(read) {
  const { measured } = read('accuracy/attributes').figures;
  const { untouched } = measured.find((/** @type {{ finding: string }} */ one) => one.finding === 'occluded');
  return {
    photographs: String(read('accuracy/detection').figures.photos.length),
    realOcclusions: String(untouched.positives),
    realOcclusionsFound: String(Math.round(untouched.positives * untouched.recall)),
  };
}

/** @param {Read} read */
function moderationFigures(read) {
  const { alarms } = read('accuracy/moderation').figures;
  const people = alarms.find((/** @type {{ material: string }} */ one) => one.material === 'people of LFW');
  const explicit = people.categories.find((/** @type {{ type: string }} */ { type }) => type === 'Explicit');
  return { falseAlarms: String(explicit.reported), falseAlarmsN: String(people.pictures) };
}

/** @param {Read} read */
function serviceFigures(read) {
  const { machine, parameters } = read('speed/latency');
  return {
    speedMachine: `${machine.cores} cores, ${machine.cpu}`,
    speedRounds: String(parameters.rounds),
    kills: String(read('gateway/metering-chaos').parameters.kills),
  };
}

/** @param {readonly any[]} results @param {string} name @returns {any} */
function resultNamed(results, name) {
  const found = results.find((one) => one.name === name && !one.variant);
  if (!found) throw new Error(`No result is named ${name}.`);
  return found;
}
