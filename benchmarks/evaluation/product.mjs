/** The built gateway's own capture and verdict, which the evaluation replays recordings through. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gatewayFile, inferenceFile, ROOT } from '../lib/paths.mjs';
import { InputError } from './input-error.mjs';

const require = createRequire(import.meta.url);
const liveness = (/** @type {string[]} */ ...path) => gatewayFile('services', 'liveness', ...path);

/** Limits of an attempt and of its frames. */
export const limits = require(join(ROOT, 'gateway', 'contract', 'limits.json')).liveness;
export const { movements } = require(liveness('capture', 'evidence.js'));
export const { beginning, drawMovements, isDone, turnsAfter } = require(liveness('capture', 'steps.js'));
export const { nextState } = require(liveness('capture', 'next-state.js'));
export const { jpegSize } = require(liveness('capture', 'jpeg-size.js'));
export const { gather } = require(liveness('verdict', 'gather.js'));

export const { escapeHtml } = require(inferenceFile('evaluation', 'page-parts.js'));

/** Confidence intervals over people. */
export const { intervalOverPeople } = require(inferenceFile('calibration', 'intervals.js'));

const rulesFile = liveness('verdict', 'rules.js');
export const rules = require(rulesFile);
export const rulesHash = () => createHash('sha256').update(readFileSync(rulesFile)).digest('hex');

const { policies } = require(liveness('verdict', 'policy.js'));

/** Rules about the calls of a page and the colors that it shows. Recordings have neither. */
export const rulesOfPage = ['noLight', 'unsigned', 'scripted'];

/** The calls of a page without a fault, in the place of those that a recording does not have. */
export const faultless = { isSigned: true, clientFaults: [] };

/**
 * The verdict under a policy.
 * @param {string} level
 * @returns {{ policy: import('./types').Conditions['policy'], judge: Judge }}
 * @throws InputError for a level that this build does not have
 */
export function verdictUnder(level) {
  const found = policies[level];
  if (!found) throw new InputError(`This build has no policy ${level}: it has ${Object.keys(policies)}.`);
  const policy = { ...found, ...(found.requireLight && { requireLight: false }) };
  const { judge } = require(liveness('verdict', 'verdict.js'));
  return { policy, judge: (evidence, isApplied) => judge(evidence, policy, isApplied) };
}

/**
 * @typedef {object} Verdict
 * @property {boolean} isLive
 * @property {number} confidence 0 to 1
 * @property {readonly string[]} reasons the rules that refused, or `risk`
 */

/** All rules judge by default. @typedef {(evidence: object, isApplied?: (name: string) => boolean) => Verdict} Judge */
