/** Image moderation: class probabilities of an image and the categories of the API that they stand for. */
import { exampleOf, type Model } from '../../backends/backend';
import type { DetectedElement, Probabilities } from '../../wire';
import { type DecodedImage, squeezeAll } from '../image/decoded-image';

/** Classes of the moderation model in the order of its output. */
const moderationClasses = ['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy'] as const;

/** The classes of each category; its confidence is their sum, since an image has one class. */
const categories: readonly { readonly type: string; readonly classes: readonly (keyof Probabilities)[] }[] = [
  { type: 'Explicit', classes: ['Porn', 'Hentai'] },
  { type: 'Suggestive', classes: ['Sexy'] },
];

export interface Classification {
  readonly probabilities: Probabilities;
  /** The values from which the model computes its classes; custom categories are recognized by them. */
  readonly features: Float32Array;
}

/** Classifies each image, squeezed to the model's square as the training images were. */
export async function classify(model: Model, images: readonly DecodedImage[]): Promise<Classification[]> {
  const outputs = await model.run(squeezeAll(images, model.spec.input.width), images.length);
  return images.map((_, i) => {
    const row = exampleOf(outputs.probabilities, i, images.length);
    const probabilities = Object.fromEntries(moderationClasses.map((name, k) => [name, row[k] as number]));
    return {
      probabilities: probabilities as Probabilities,
      features: exampleOf(outputs.features, i, images.length),
    };
  });
}

/** Every category with its confidence, most confident first; which to report is the caller's threshold. */
export function elementsOf(probabilities: Probabilities): DetectedElement[] {
  return categories
    .map(({ type, classes }) => {
      const subTypes = classes
        .map((name) => ({ type: name as string, confidence: probabilities[name] }))
        .sort((a, b) => b.confidence - a.confidence);
      // Rounding may carry the sum of two probabilities past one.
      const sum = subTypes.reduce((total, { confidence }) => total + confidence, 0);
      return { type, confidence: Math.min(1, sum), subTypes };
    })
    .sort((a, b) => b.confidence - a.confidence);
}
