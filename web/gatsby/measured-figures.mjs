/**
 * Measured figures that the site quotes: each names a figure of a measurement, with its sample, machine and commit. Texts
 * say `{lfw}` for the figure, and `{lfwN}`, `{lfwOf}`, `{lfwHits}`, `{lfwLow}`, `{lfwHigh}` for its sample.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readContractFile } from './contract-file.mjs';

const RESULTS = fileURLToPath(new URL('../../benchmarks/results', import.meta.url));
const LIST = new Intl.ListFormat('en-US');

/**
 * @typedef {{ n: number, items: string, hits?: number, interval?: [number, number], range?: [number, number] }} Sample
 * @typedef {{ what: string, value: number, unit: string, target: number, better: 'higher' | 'lower', sample?: Sample }} Figure
 * @typedef {{ name: string, variant?: string, machine: { cpu: string, cores: number }, figures: Figure[], tables: any, charts?: any, conditions: any, data?: any }} Result
 */

/** The measurement and its figure, by the name that content uses. @type {Readonly<Record<string, [string, string]>>} */
export const MEASURED = {
  attacks: ['accuracy/presentations', 'APCER, 95 % upper bound, worst of the presentation attacks'],
  puppets: ['accuracy/presentations', 'APCER, puppets that follow the instructions'],
  recordings: ['accuracy/recordings', 'APCER, recordings in the requested order'],
  knownCode: ['accuracy/white-box', 'APCER, attackers who know the code'],
  knownCodeStrict: ['accuracy/white-box', 'APCER, attackers who know the code, policy strict'],
  oldFrames: ['accuracy/old-frames', 'APCER, frames of an earlier capture'],
  oldFramesStrict: ['accuracy/old-frames', 'APCER, frames of an earlier capture, policy strict'],
  visits: ['accuracy/visits', 'Rendered visitors that pass'],
  captureTime: ['accuracy/visits', 'Longest capture'],
  verdictTime: ['accuracy/visits', 'Longest wait for the outcome'],
  lfw: ['accuracy/lfw', 'LFW accuracy, threshold from the other folds'],
  sceneAlarms: ['accuracy/moderation', 'Everyday scenes that are reported, any category'],
  sceneAlarmsExplicit: ['accuracy/moderation', 'Everyday scenes that are reported as Explicit'],
  sceneAlarmsSuggestive: ['accuracy/moderation', 'Everyday scenes that are reported as Suggestive'],
  sceneAlarmsViolence: ['accuracy/moderation', 'Everyday scenes that are reported as Violence'],
  ageError: ['accuracy/ages', 'Mean error of the age, public figures of LFW'],
  ageInside: ['accuracy/ages', 'Age inside the returned range, public figures of LFW'],
  sexFemale: ['accuracy/ages', 'Sex as labeled, FairFace, female, from 10 years on'],
  sexMale: ['accuracy/ages', 'Sex as labeled, FairFace, male, from 10 years on'],
  faces: ['accuracy/detection', 'Annotated noses inside a returned box'],
  compareTime: ['load/latency', 'compare (two selfies), p95, idle machine'],
  detectTime: ['load/latency', 'detect, p95, idle machine'],
  moderateTime: ['load/latency', 'moderate, p95, idle machine'],
  startTime: ['load/start', 'Start to ready, models compiled'],
  billedWrongly: ['reliability/billing', 'Units billed wrongly after 20 kills, account with overage'],
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
  return measuredFigures(results, limits);
}

/**
 * @param {readonly Result[]} results
 * @param {{ thresholds: { similarityDefault: number } }} limits
 * @returns {Readonly<Record<string, string>>} by name
 * @throws Error for a missing measurement, figure or sample
 */
export function measuredFigures(results, limits) {
  const read = (/** @type {string} */ name) => resultNamed(results, name);
  return {
    ...livenessFigures(read),
    ...matchingFigures(read, limits.thresholds.similarityDefault),
    ...detectionFigures(read),
    ...moderationFigures(read),
    ...serviceFigures(read),
    ...disasterFigures(read),
    ...Object.assign({}, ...Object.keys(MEASURED).map((name) => figuresOf(results, name))),
  };
}

/**
 * @param {readonly Result[]} results @param {string} name of MEASURED
 * @returns {Figure}
 * @throws Error for an unknown name, measurement or figure
 */
export function measuredFigure(results, name) {
  const [measurement, what] = MEASURED[name] ?? [];
  return figureOf(resultNamed(results, String(measurement)), String(what));
}

/** @param {Result} result @param {string} what @returns {Figure} @throws Error */
function figureOf({ name, figures }, what) {
  const figure = figures.find((candidate) => candidate.what === what);
  if (!figure) throw new Error(`${name} has no figure "${what}".`);
  return figure;
}

/** @param {Result} result @param {string[]} fields that it must have @returns {any} @throws Error */
function dataOf({ name, data }, ...fields) {
  const missing = fields.find((field) => data?.[field] === undefined);
  if (missing) throw new Error(`${name} has no ${missing}.`);
  return data;
}

/** @param {readonly Result[]} results @param {string} name */
function figuresOf(results, name) {
  const { value, unit, sample } = measuredFigure(results, name);
  if (!sample) throw new Error(`The measured figure ${name} has no sample.`);
  const [low, high] = sample.interval ?? sample.range ?? [];
  return {
    [name]: quote(value, unit, sample),
    [`${name}N`]: sample.n.toLocaleString('en-US'),
    [`${name}Of`]: sample.items,
    ...(sample.hits !== undefined && { [`${name}Hits`]: sample.hits.toLocaleString('en-US') }),
    ...(low !== undefined && {
      [`${name}Low`]: quote(low, sample.range ? '' : unit, sample),
      [`${name}High`]: quote(Number(high), unit, sample),
    }),
  };
}

/**
 * Formats a figure with as many digits as the sample supports: a percentage has two decimals from a thousand on, other
 * figures have three digits.
 * @param {number} value @param {string} unit @param {Sample} sample
 */
function quote(value, unit, { n, interval }) {
  if (interval) return formatMeasured(Number(value.toFixed(n < 1000 ? 1 : 2)), unit);
  return formatMeasured(Number(value.toPrecision(3)), unit);
}

/** @typedef {(name: string) => Result} Read the result of a measurement */

/** The kinds of presentation and of injection attacks, and the puppets that pass at each level. @param {Read} read */
function livenessFigures(read) {
  const result = read('accuracy/presentations');
  const presented = speciesIn(result, 'Presentation attacks (ISO/IEC 30107-3)');
  const injected = speciesIn(result, 'Injection attacks that do not follow the instructions (CEN/TS 18099)');
  const [, injectionN, injectionHits, injectionRate] = injected.reduce((worst, row) =>
    row[2] > worst[2] ? row : worst,
  );
  const [, injection] = /\(([\d.]+) %\)/.exec(injectionRate) ?? [];
  return {
    attackSpecies: namesOf(presented),
    attackSpeciesCount: String(presented.length),
    injectionSpecies: namesOf(injected),
    injectionSpeciesCount: String(injected.length),
    injectionHits: String(injectionHits),
    injectionN: String(injectionN),
    injection: `${injection}%`,
    ...passed('puppetsStandard', figureOf(result, 'Puppets that pass, all species together')),
    ...passed('puppetsStrict', figureOf(result, 'Puppets that pass, all species together, policy strict')),
    ...passed('puppetsWorst', figureOf(result, 'APCER, puppets that follow the instructions')),
    ...passed(
      'puppetsStrictWorst',
      figureOf(result, 'APCER, puppets that follow the instructions, policy strict'),
    ),
  };
}

/** @typedef {[species: string, n: number, accepted: number, apcer: string, ...unknown[]]} SpeciesRow */

/** @param {Result} result @param {string} title of the table @returns {SpeciesRow[]} @throws Error */
function speciesIn({ name, tables }, title) {
  const table = tables.find((/** @type {{ title: string }} */ candidate) => candidate.title === title);
  if (!table) throw new Error(`${name} has no table "${title}".`);
  return table.rows;
}

/** @param {SpeciesRow[]} rows */
const namesOf = (rows) => LIST.format(rows.map(([species]) => species));

/** @param {string} name @param {Figure} figure */
function passed(name, { unit, sample }) {
  if (!sample?.interval) throw new Error(`The figure ${name} has no interval.`);
  const [low, high] = sample.interval;
  return {
    [`${name}Passed`]: `${sample.hits} of ${sample.n}`,
    [`${name}Low`]: quote(low, unit, sample),
    [`${name}High`]: quote(high, unit, sample),
  };
}

/** Errors at the default threshold, in pairs of LFW. @param {Read} read @param {number} threshold */
function matchingFigures(read, threshold) {
  const result = read('accuracy/lfw');
  const fields = ['folds', 'impostorPairs', 'genuinePairs', 'atDefault'];
  const { folds, impostorPairs, genuinePairs, atDefault } = dataOf(result, ...fields);
  if (atDefault.threshold !== threshold)
    throw new Error(`accuracy/lfw has no rates at the default threshold of ${threshold}.`);
  return {
    lfwFolds: folds,
    lfwCrop: `${100 * result.conditions.crop}%`,
    strangerPairs: String(impostorPairs),
    strangersMatched: String(Math.round(atDefault.fmr * impostorPairs)),
    samePairs: String(genuinePairs),
    sameRejected: String(Math.round(atDefault.fnmr * genuinePairs)),
  };
}

/** @param {Read} read */
function detectionFigures(read) {
  const fields = ['realOcclusions', 'realOcclusionsFound'];
  const { realOcclusions, realOcclusionsFound } = dataOf(read('accuracy/attributes'), ...fields);
  const { publicFigures } = dataOf(read('accuracy/ages'), 'publicFigures');
  return {
    ageErrorYoung: String(publicFigures['under 30']),
    ageErrorOld: String(-publicFigures['60 and over']),
    photographs: String(dataOf(read('accuracy/detection'), 'photos').photos),
    realOcclusions: String(realOcclusions),
    realOcclusionsFound: String(realOcclusionsFound),
  };
}

/** @param {Read} read */
function moderationFigures(read) {
  const { falseAlarms, falseAlarmsN } = dataOf(read('accuracy/moderation'), 'falseAlarms', 'falseAlarmsN');
  return { falseAlarms: String(falseAlarms), falseAlarmsN: String(falseAlarmsN) };
}

/** @param {Read} read */
function serviceFigures(read) {
  const { machine, conditions } = read('load/latency');
  return {
    speedMachine: `${machine.cores} cores, ${machine.cpu}`,
    speedRounds: String(conditions.rounds),
    kills: String(read('reliability/billing').conditions.kills),
  };
}

/** @param {number} seconds */
const timeText = (seconds) =>
  seconds < 0.01 ? `${Number((1e3 * seconds).toPrecision(2))} ms` : `${Number(seconds.toPrecision(2))} s`;

/** The loss of Redis: median times by step, and units. @param {Read} read */
function disasterFigures(read) {
  const result = read('reliability/disaster');
  const fields = ['ways', 'n', 'keys', 'backupBytes', 'ledgerUnits', 'lost', 'succeeded'];
  const { ways, n, backupBytes, ledgerUnits, lost, succeeded } = dataOf(result, ...fields);
  const timesOf = (/** @type {string} */ prefix, /** @type {any} */ times) =>
    Object.entries(times).map(([step, time]) => [
      `${prefix}${step[0]?.toUpperCase()}${step.slice(1, -1)}`,
      time ? timeText(time.median) : '–',
    ]);
  return {
    ...Object.fromEntries([...timesOf('disaster', ways.backup), ...timesOf('failover', ways.replica)]),
    disasterMachine: `${result.machine.cores} cores, ${result.machine.cpu}`,
    disasterN: String(n),
    disasterMegabytes: String(Math.round(backupBytes / 1e6)),
    disasterLedger: ledgerUnits.toLocaleString('en-US'),
    disasterSucceeded: succeeded.toLocaleString('en-US'),
    disasterLost: String(lost.backup + lost['backup, session keys lost too']),
    failoverLost: String(lost.replica),
  };
}

/** @param {readonly Result[]} results @param {string} name @returns {Result} @throws Error */
function resultNamed(results, name) {
  const named = results.find((result) => result.name === name && !result.variant);
  if (!named) throw new Error(`No result is named ${name}.`);
  return named;
}

/** Formats four significant digits like benchmarks/results/RESULTS.md. @param {number} value @param {string} unit */
export function formatMeasured(value, unit) {
  const small = value !== 0 && Math.abs(value) < 1e-3;
  const digits = small
    ? value.toExponential(1)
    : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });
  return unit === '%' || unit === 'x' ? `${digits}${unit}` : `${digits} ${unit}`.trim();
}
