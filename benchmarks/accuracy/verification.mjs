/**
 * Error rates of one-to-one verification from scored pairs. FMR: accepted impostor pairs; FNMR: rejected genuine pairs. A
 * pair is accepted when its score is at least the threshold (ISO/IEC 19795-1).
 */
import { mean } from '../lib/stats.mjs';

/** @typedef {{ fold: number, same: boolean, score: number }} Scored */

/** The share of right decisions. @param {readonly Scored[]} pairs @param {number} threshold */
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
 * The threshold with the most right decisions. If several have as many, it is the middle of the widest gap between scores,
 * which depends least on these pairs.
 * @param {readonly Scored[]} pairs
 */
export function bestThreshold(pairs) {
  const sorted = [...pairs].sort((a, b) => a.score - b.score);
  // Below all scores every pair is accepted; each step up rejects the pairs of one more score.
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

/** Decides each fold at the threshold of the others. @param {readonly Scored[]} pairs */
export function crossValidate(pairs) {
  const names = [...new Set(pairs.map(({ fold }) => fold))].sort((a, b) => a - b);
  const folds = names.map((name) => {
    const threshold = bestThreshold(pairs.filter(({ fold }) => fold !== name));
    const foldPairs = pairs.filter(({ fold }) => fold === name);
    return { fold: name, pairs: foldPairs.length, threshold, accuracy: accuracyAt(foldPairs, threshold) };
  });
  return { folds, accuracy: mean(folds.map(({ accuracy }) => accuracy)) };
}

/**
 * The share of genuine pairs accepted at the lowest threshold that accepts no more impostors than the rate allows.
 * @param {readonly Scored[]} pairs
 * @param {number} fmr 0.001 allows none of 900 impostor pairs
 */
export function tarAt(pairs, fmr) {
  const impostors = pairs.filter(({ same }) => !same).map(({ score }) => score);
  const genuine = pairs.filter(({ same }) => same).map(({ score }) => score);
  const allowed = Math.floor(fmr * impostors.length);
  // The highest score of a rejected impostor: only higher scores are accepted.
  const barrier = [...impostors].sort((a, b) => b - a)[allowed] ?? Number.NEGATIVE_INFINITY;
  const accepted = genuine.filter((score) => score > barrier).length;
  return { fmr, allowed, impostors: impostors.length, barrier, tar: accepted / genuine.length };
}
