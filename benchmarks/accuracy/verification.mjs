/**
 * Error rates of one-to-one verification from scored pairs. FMR: impostor pairs accepted; FNMR: genuine pairs refused;
 * a pair is accepted when its score is at least the threshold (ISO/IEC 19795-1).
 */
import { mean } from '../lib/stats.mjs';

/** @typedef {{ fold: number, same: boolean, score: number }} Scored */

/** @param {readonly Scored[]} pairs @param {number} threshold proportion decided rightly */
export const accuracyAt = (pairs, threshold) =>
  pairs.filter(({ score, same }) => score >= threshold === same).length / pairs.length;

/** @param {readonly Scored[]} pairs @param {number} threshold */
export function ratesAt(pairs, threshold) {
  const genuine = pairs.filter(({ same }) => same);
  const impostor = pairs.filter(({ same }) => !same);
  return {
    threshold,
    fmr: impostor.filter(({ score }) => score >= threshold).length / impostor.length,
    fnmr: genuine.filter(({ score }) => score < threshold).length / genuine.length,
  };
}

/**
 * The threshold that decides most pairs rightly; of several, the middle of the widest gap between scores, which is the
 * one least tied to these pairs.
 * @param {readonly Scored[]} pairs
 */
export function bestThreshold(pairs) {
  const sorted = [...pairs].sort((a, b) => a.score - b.score);
  // Below all scores everything is accepted; each step up refuses the pairs of one more score.
  let right = sorted.filter(({ same }) => same).length;
  let best = { right: -1, gap: -1, threshold: 0 };
  for (let i = 0; i <= sorted.length; i++) {
    const below = sorted[i - 1]?.score ?? sorted[0].score;
    const above = sorted[i]?.score ?? below;
    const gap = above - below;
    const distinct = i === 0 || i === sorted.length || gap > 0;
    if (distinct && (right > best.right || (right === best.right && gap > best.gap))) {
      const threshold = i === sorted.length ? below + Number.EPSILON : (below + above) / 2;
      best = { right, gap, threshold };
    }
    if (i < sorted.length) right += sorted[i].same ? -1 : 1;
  }
  return best.threshold;
}

/**
 * Each fold decided with the threshold chosen on the others.
 * @param {readonly Scored[]} pairs
 */
export function crossValidate(pairs) {
  const names = [...new Set(pairs.map(({ fold }) => fold))].sort((a, b) => a - b);
  const folds = names.map((name) => {
    const threshold = bestThreshold(pairs.filter(({ fold }) => fold !== name));
    const own = pairs.filter(({ fold }) => fold === name);
    return { fold: name, pairs: own.length, threshold, accuracy: accuracyAt(own, threshold) };
  });
  return { folds, accuracy: mean(folds.map(({ accuracy }) => accuracy)) };
}

/**
 * Genuine pairs accepted at the lowest threshold that accepts no more impostors than the rate allows.
 * @param {readonly Scored[]} pairs
 * @param {number} fmr e.g. 0.001: of 900 impostor pairs, none may be accepted
 */
export function tarAt(pairs, fmr) {
  const impostors = pairs.filter(({ same }) => !same).map(({ score }) => score);
  const genuine = pairs.filter(({ same }) => same).map(({ score }) => score);
  const allowed = Math.floor(fmr * impostors.length);
  // The highest impostor that must be refused; only scores above it are accepted.
  const barrier = [...impostors].sort((a, b) => b - a)[allowed] ?? Number.NEGATIVE_INFINITY;
  const accepted = genuine.filter((score) => score > barrier).length;
  return { fmr, allowed, impostors: impostors.length, barrier, tar: accepted / genuine.length };
}

/**
 * One point for each number of impostors accepted, which is every step of the curve.
 * @param {readonly Scored[]} pairs
 */
export function rocPoints(pairs, rates = [0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]) {
  return rates
    .map((rate) => tarAt(pairs, rate))
    .map(({ fmr, tar, barrier }) => ({ fmr, tar, above: barrier }));
}
