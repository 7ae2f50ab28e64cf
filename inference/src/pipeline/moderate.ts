/** Image moderation: class probabilities of a picture and the categories of the API that they speak for. */
import type { Model } from '../backends/backend';
import type { Picture } from './picture';

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

/** Probabilities per picture. The model was trained on pictures squeezed to its square, so that is what it sees. */
export async function classify(model: Model, pictures: readonly Picture[]): Promise<Probabilities[]> {
  const { width: size } = model.spec.input;
  const bytes = 3 * size * size;
  const pixels = new Uint8Array(pictures.length * bytes);
  pictures.forEach((picture, i) => {
    picture.squeeze(size, pixels.subarray(i * bytes, (i + 1) * bytes));
  });
  const values = (await model.run(pixels, pictures.length)).probabilities as Float32Array;
  return pictures.map((_, i) => {
    const row = values.subarray(i * moderationClasses.length, (i + 1) * moderationClasses.length);
    return Object.fromEntries(moderationClasses.map((name, k) => [name, row[k] as number])) as Probabilities;
  });
}

/** Every category with its confidence, most confident first; which to report is the caller's threshold. */
export function elementsOf(probabilities: Probabilities): DetectedElement[] {
  return categories
    .map(({ type, classes }) => {
      const subTypes = classes
        .map((name) => ({ type: name as string, confidence: probabilities[name] }))
        .sort((a, b) => b.confidence - a.confidence);
      return { type, confidence: subTypes.reduce((sum, { confidence }) => sum + confidence, 0), subTypes };
    })
    .sort((a, b) => b.confidence - a.confidence);
}
