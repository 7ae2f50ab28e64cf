/** One rendered attempt, guided by the gateway's guidance over the inference tier and judged by the gateway's verdict. */
import { challengesOf } from '../../gateway/dist/services/liveness/verdict/gather.js';
import { policies } from '../../gateway/dist/services/liveness/verdict/policy.js';
import { judge } from '../../gateway/dist/services/liveness/verdict/verdict.js';
import { detectJob, framesJob } from '../lib/client.mjs';
import { recordAttempt } from './rendered-people.cjs';

/** The faces of a frame with their pose, as the guidance gets them. */
export const facesOf = (client) => async (/** @type {Buffer} */ jpeg) =>
  (await client.request(detectJob(jpeg, 'pose'))).reply.faces;

/** @typedef {import('../../inference/src/evaluation/liveness/tier-client.mjs').Client} Client */
/** @typedef {import('../../gateway/test/liveness/people/subject').Subject} Subject */
/** @typedef {Omit<import('../../gateway/test/liveness/people/attempt').AttemptOptions, 'detect'>} Requested */

/**
 * An attempt, and the tier's measurements of its selected frames.
 * @param {Client} client @param {Subject} subject @param {Requested} requested
 */
export async function measuredAttempt(client, subject, requested) {
  const { light, ...attempt } = await recordAttempt(subject, { ...requested, detect: facesOf(client) });
  const times = attempt.frames.kept.map((at) => attempt.frames.arrivalsMs[at]);
  const challenges = challengesOf(attempt.steps).map(({ kind, fromMs, toMs }) => `${kind}@${fromMs}-${toMs}`);
  const { reply: signals } = await client.request(framesJob(attempt.images, times, challenges, light));
  return { ...attempt, light, signals };
}

/**
 * @param {Client} client @param {Subject} subject @param {Requested} requested
 * @param {object} manner
 * @param {boolean} manner.follows whether the subject does as requested, so that a step that the guidance never accepts is a
 *   failure
 * @param {(images: readonly Buffer[], signals: any) => any} [manner.reuseOf] frames that an earlier attempt has sent; by
 *   default there was none
 */
export async function judgedAttempt(client, subject, requested, { follows, reuseOf }) {
  const { images, forced, ...measured } = await measuredAttempt(client, subject, requested);
  const { signals } = measured;
  const evidence = { ...measured, ...(reuseOf && { reuse: reuseOf(images, signals) }) };
  const judged = (policy) => {
    const { isLive, reasons } = judge(evidence, policy);
    return { isLive: isLive && !(follows && forced > 0), reasons };
  };
  return {
    images,
    best: signals.best,
    forced,
    standard: judged(policies.standard),
    strict: judged(policies.strict),
    signals: { smear: signals.smear?.logOdds ?? null, light: signals.light?.correlation ?? null },
  };
}
