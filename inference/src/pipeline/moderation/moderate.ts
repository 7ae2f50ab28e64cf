/** Image moderation: class probabilities of a picture and the categories of the API that they speak for. */
import type { Model } from '../../backends/backend';
import { type Picture, squeezeAll } from '../image/decoded-image';

/** Classes of the moderation model in the order of its output. */
export const moderationClasses = ['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy'] as const;
export type ModerationClass = (typeof moderationClasses)[number];

export interface DetectedElement {
  readonly type: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly subTypes?: readonly { readonly type: string; readonly confidence: number }[];
}

/** Which classes make up a category; its confidence is their sum, since a picture has one class. */
const categories: readonly { readonly type: string; readonly classes: readonly ModerationClass[] }[] = [
  { type: 'Explicit', classes: ['Porn', 'Hentai'] },
  { type: 'Suggestive', classes: ['Sexy'] },
];

export type Probabilities = Readonly<Record<ModerationClass, number>>;

/** What the moderation model makes of a picture. */
export interface Look {
  readonly probabilities: Probabilities;
  /** What the model computes its classes from; custom categories are told apart by it. */
  readonly features: Float32Array;
}

/** One look per picture. The model was trained on pictures squeezed to its square, so that is what it sees. */
export async function lookAt(model: Model, pictures: readonly Picture[]): Promise<Look[]> {
  const answers = await model.run(squeezeAll(pictures, model.spec.input.width), pictures.length);
  const rowOf = (name: string, i: number) => {
    const values = answers[name] as Float32Array;
    const length = values.length / pictures.length;
    return values.subarray(i * length, (i + 1) * length);
  };
  return pictures.map((_, i) => {
    const row = rowOf('probabilities', i);
    const probabilities = Object.fromEntries(moderationClasses.map((name, k) => [name, row[k] as number]));
    return { probabilities: probabilities as Probabilities, features: rowOf('features', i) };
  });
}

/** Every category with its confidence, most confident first; which to report is the caller's threshold. */
export function elementsOf(probabilities: Probabilities): DetectedElement[] {
  return categories
    .map(({ type, classes }) => {
      const subTypes = classes
        .map((name) => ({ type: name as string, confidence: probabilities[name] }))
        .sort((a, b) => b.confidence - a.confidence);
      // Rounding may carry the sum of two probabilities beyond one.
      const sum = subTypes.reduce((total, { confidence }) => total + confidence, 0);
      return { type, confidence: Math.min(1, sum), subTypes };
    })
    .sort((a, b) => b.confidence - a.confidence);
}
