/**
 * Weapons in an image, from a detector of the 80 objects of COCO. It detects knives, scissors and baseball bats, but no
 * firearms and no blood, and it does not distinguish a kitchen or a playing field from an attack.
 */
import { exampleOf, type Model } from '../../backends/backend';
import type { DetectedElement } from '../../wire';
import { type DecodedImage, squeezeAll } from '../image/decoded-image';

/** The objects that count, with their positions among the model's classes, COCO's 80 in COCO's order. */
export const weapons = [
  { type: 'Knife', place: 43 },
  { type: 'Scissors', place: 76 },
  { type: 'Baseball bat', place: 34 },
] as const;

const classes = 80;

/**
 * Score from which CenterNet's authors show an object (`--vis_thresh`; Zhou et al., Objects as Points, 2019). Its
 * scores are low, so this one maps to 0.5, the API's default threshold.
 */
const evenScore = 0.3;

/** Confidence of a score, both 0 to 1: straight lines through 0, `evenScore` at 0.5, and 1. */
export const confidenceOf = (score: number): number =>
  score < evenScore ? (0.5 * score) / evenScore : 1 - (0.5 * (1 - score)) / (1 - evenScore);

/**
 * Score of the most certain object of each weapon. An object is a peak of its class's map, and the maximum of a map is
 * always a peak.
 * @param heat [cells, 80] of one image, values 0 to 1.
 * @returns scores in the order of `weapons`.
 */
export function maxScores(heat: Float32Array): number[] {
  return weapons.map(({ place }) => {
    let highest = 0;
    for (let i = place; i < heat.length; i += classes) highest = Math.max(highest, heat[i] as number);
    return highest;
  });
}

/** The category Violence of each image, with the confidence of its most certain weapon. */
export async function findViolence(
  model: Model,
  images: readonly DecodedImage[],
): Promise<DetectedElement[]> {
  const pixels = squeezeAll(images, model.spec.input.width);
  const { heat } = await model.run(pixels, images.length);
  return images.map((_, i) => {
    const scores = maxScores(exampleOf(heat, i, images.length));
    const subTypes = weapons
      .map(({ type }, k) => ({ type, confidence: confidenceOf(scores[k] as number) }))
      .sort((a, b) => b.confidence - a.confidence);
    return { type: 'Violence', confidence: Math.max(...subTypes.map((s) => s.confidence)), subTypes };
  });
}
