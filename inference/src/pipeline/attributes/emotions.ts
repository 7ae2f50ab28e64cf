/**
 * Emotions of a face. The expression model distinguishes seven expressions; two emotions are derived:
 * - `calm` is its neutral expression.
 * - `confused` is not a class of the model. It means that the model is undecided and the brows are drawn together and
 *   lowered. Its confidence is the product of both, each 0 to 1, and the others share the rest in proportion. So a face
 *   with a clear expression or relaxed brows is never confused.
 */
import type { Emotion } from '../../wire/faces';
import type { Mesh } from '../faces/mesh';

/** Emotions in the order of the expression model's classes. */
const classes = ['calm', 'happy', 'sad', 'angry', 'fear', 'disgust', 'surprised'] as const;

/** Equally likely expressions between which a face counts as fully undecided. */
const undecidedBetween = 3;

/**
 * Sum of height and gap of relaxed and of fully furrowed brows: median and 5th percentile of 2,320 press portraits.
 */
const brows = { relaxed: 1.662, furrowed: 1.558 };

/**
 * @param probabilities the expression model's: neutral, happy, sad, angry, fearful, disgusted, surprised.
 * @returns all eight emotions, most likely first.
 */
export function emotionsOf(
  probabilities: ArrayLike<number>,
  mesh: Pick<Mesh, 'points' | 'depth'>,
): Emotion[] {
  const confused = indecision(probabilities) * furrow(mesh);
  const emotions: Emotion[] = classes.map((type, i) => ({
    type,
    confidence: (probabilities[i] as number) * (1 - confused),
  }));
  return [...emotions, { type: 'confused' as const, confidence: confused }].sort(
    (a, b) => b.confidence - a.confidence,
  );
}

/** Entropy relative to that of equally likely expressions, 0 to 1. */
function indecision(probabilities: ArrayLike<number>): number {
  const entropy = Array.from(probabilities).reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  return Math.min(1, entropy / Math.log(undecidedBetween));
}

/** How far the brows are drawn together and lowered, 0 to 1. Distances include depth, so that a turn matters little. */
function furrow({ points, depth }: Pick<Mesh, 'points' | 'depth'>): number {
  const distance = (a: number, b: number) =>
    Math.hypot(
      (points[2 * a] as number) - (points[2 * b] as number),
      (points[2 * a + 1] as number) - (points[2 * b + 1] as number),
      (depth[a] as number) - (depth[b] as number),
    );
  // The gap between the inner ends of the brows, and the heights of ends and middles above the eyes, in eye widths.
  const gap = distance(55, 285);
  const height = distance(55, 133) + distance(285, 362) + distance(65, 159) + distance(295, 386);
  const place = (3 * gap + height) / distance(33, 263);
  return Math.min(1, Math.max(0, (brows.relaxed - place) / (brows.relaxed - brows.furrowed)));
}
