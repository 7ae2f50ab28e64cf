/** The built gateway's own capture and verdict, which the evaluation replays recordings through. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policies } from '../../../../gateway/dist/services/liveness/verdict/policy.js';
import * as rules from '../../../../gateway/dist/services/liveness/verdict/rules.js';
import { judge } from '../../../../gateway/dist/services/liveness/verdict/verdict.js';
import { ROOT } from '../../../../gateway/harness/cli/paths.mjs';
import { InputError } from '../../../dist/evaluation/input/input-error.js';

export { movements } from '../../../../gateway/dist/services/liveness/capture/evidence.js';
export { jpegSize } from '../../../../gateway/dist/services/liveness/capture/jpeg-size.js';
export { nextState } from '../../../../gateway/dist/services/liveness/capture/next-state.js';
export {
  beginning,
  drawMovements,
  isDone,
  turnsAfter,
} from '../../../../gateway/dist/services/liveness/capture/steps.js';
export { gather } from '../../../../gateway/dist/services/liveness/verdict/gather.js';
export { rules };

/** Limits of an attempt and of its frames. */
export const limits = JSON.parse(readFileSync(join(ROOT, 'gateway/contract/limits.json'), 'utf8')).liveness;

const RULES = join(ROOT, 'gateway/dist/services/liveness/verdict/rules.js');
export const rulesHash = () => createHash('sha256').update(readFileSync(RULES)).digest('hex');

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
  const levelPolicy = policies[level];
  if (!levelPolicy)
    throw new InputError(`This build has no policy ${level}: it has ${Object.keys(policies)}.`);
  const policy = { ...levelPolicy, ...(levelPolicy.requireLight && { requireLight: false }) };
  return { policy, judge: (evidence, isApplied) => judge(evidence, policy, isApplied) };
}

/**
 * @typedef {object} Verdict
 * @property {boolean} isLive
 * @property {number} confidence a band, 0 to 1
 * @property {readonly string[]} reasons the rules that refused
 */

/** @typedef {import('../../../../gateway/dist/services/liveness/capture/capture-store').CaptureState} CaptureState */
/** @typedef {import('../../../../gateway/dist/services/liveness/capture/evidence').Evidence} Evidence */
/** @typedef {import('../../../../gateway/dist/services/liveness/capture/evidence').Movement} Movement */

/** All rules judge by default. @typedef {(evidence: Evidence, isApplied?: (name: string) => boolean) => Verdict} Judge */
