/** The similarity of pairs of images, compared as /compare compares a source with a target. */
import type { Calibration } from '../../catalogue/manifest-parts';
import type { Embedding } from '../../pipeline/faces/embed';
import { distanceBetween, similarityOf } from '../../pipeline/faces/similarity';
import { randomNumbers } from '../../random';
import type { ImagePair } from './labels';

export interface ComparableImage {
  /** Position among all people. */
  readonly person: number;
  /** One face or more, largest first. */
  readonly faces: readonly Embedding[];
}

export interface PairCounts {
  /** All pairs of the images. */
  readonly existing: number;
  readonly compared: number;
}

export interface ComparedPairs {
  /** Positions of the two images of each pair; the source is the earlier one, or the first one of a listed pair. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  readonly similarity: Float64Array;
  /** Pairs of one person. */
  readonly genuine: PairCounts;
  /** Pairs of different people. */
  readonly impostor: PairCounts;
}

export interface CompareOptions {
  readonly calibration: Calibration;
  /** Pairs to compare of each kind at most. A larger number is sampled, in each run the same. */
  readonly maxPairs: number;
  /** The pairs to choose from; all pairs without it. */
  readonly listed?: readonly ImagePair[] | undefined;
}

export function comparePairs(
  images: readonly ComparableImage[],
  { calibration, maxPairs, listed }: CompareOptions,
): ComparedPairs {
  const isGenuine = (i: number, j: number) => images[i]?.person === images[j]?.person;
  const existing = listed?.length ?? (images.length * (images.length - 1)) / 2;
  const existingGenuine = listed ? listed.filter(([i, j]) => isGenuine(i, j)).length : countGenuine(images);
  const genuine = countsOf(existingGenuine, maxPairs);
  const impostor = countsOf(existing - existingGenuine, maxPairs);
  const chosen = { genuine: sampler(genuine), impostor: sampler(impostor) };
  const total = genuine.compared + impostor.compared;
  const source = new Int32Array(total);
  const target = new Int32Array(total);
  const similarity = new Float64Array(total);
  let pair = 0;
  eachPair(images.length, listed, (i, j) => {
    if (!(isGenuine(i, j) ? chosen.genuine : chosen.impostor)()) return;
    source[pair] = i;
    target[pair] = j;
    similarity[pair] = similarityBetween(
      images[i] as ComparableImage,
      images[j] as ComparableImage,
      calibration,
    );
    pair += 1;
  });
  return { source, target, similarity, genuine, impostor };
}

function eachPair(
  images: number,
  listed: readonly ImagePair[] | undefined,
  visit: (i: number, j: number) => void,
): void {
  if (listed) {
    for (const [i, j] of listed) visit(i, j);
    return;
  }
  for (let i = 0; i < images; i++) for (let j = i + 1; j < images; j++) visit(i, j);
}

const countsOf = (existing: number, maxPairs: number): PairCounts => ({
  existing,
  compared: Math.min(existing, maxPairs),
});

function countGenuine(images: readonly ComparableImage[]): number {
  const perPerson = new Map<number, number>();
  for (const { person } of images) perPerson.set(person, (perPerson.get(person) ?? 0) + 1);
  return [...perPerson.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}

/**
 * Decides for one pair after the other whether it is compared, so that all samples of the size are equally likely
 * (selection sampling; Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm S).
 */
function sampler({ existing, compared }: PairCounts): () => boolean {
  const random = randomNumbers();
  let left = existing;
  let wanted = compared;
  return () => {
    const isWanted = random() * left < wanted;
    left -= 1;
    if (isWanted) wanted -= 1;
    return isWanted;
  };
}

/** The largest face of the source against the most similar face of the target. */
function similarityBetween(
  { faces: [largest] }: ComparableImage,
  { faces }: ComparableImage,
  calibration: Calibration,
): number {
  let least = Number.POSITIVE_INFINITY;
  for (const face of faces) least = Math.min(least, distanceBetween(largest as Embedding, face));
  return similarityOf(least, calibration);
}
