/**
 * Custom categories from a few examples. Features of the moderation model are measured against a background of
 * ordinary images and scaled to length 1; the mean of the examples is the category's prototype (Snell et al.,
 * Prototypical Networks for Few-shot Learning, 2017), and the cosine to it measures how well an image fits. Only
 * this mean is kept of the examples.
 */

/** Statistics of the features of ordinary images, and the spread of their cosines to unrelated prototypes. */
export interface Background {
  /** Identifies model and background; prototypes of another version are invalid. 0 to 2^32 - 1. */
  readonly version: number;
  readonly mean: Float32Array;
  /** Standard deviation. */
  readonly deviation: Float32Array;
  /** Standard deviation of the cosines of images that do not belong; their mean is 0. */
  readonly spread: number;
}

export interface Prototype {
  /** A vector of length 1. */
  readonly direction: Float32Array;
  /** Cosine at a confidence of 0.5. */
  readonly threshold: number;
  /** Confidence = 1 / (1 + exp(-slope * (cosine - threshold))). */
  readonly slope: number;
}

/** A prototype if the examples have something in common, and the positions of examples that fit the others badly. */
export type Prototyping =
  | { readonly ok: true; readonly prototype: Prototype; readonly outliers: readonly number[] }
  | { readonly ok: false; readonly outliers: readonly number[] };

/** Keeps features that hardly vary in the background from dominating. */
const leastDeviation = 0.05;
/** Keeps a category from being too narrow, because a few examples may be alike by chance or show one scene. */
const leastSpread = 0.08;
/**
 * Mean cosine of an example to the mean of the others, below which they have nothing in common. Examples of one kind gave
 * 0.15 to 0.8, mixtures of nine kinds -0.2 to 0.04.
 */
const leastAgreement = 0.15;
/** Log-odds of the confidence of a typical example, 0.95. */
const typicalLogit = Math.log(0.95 / 0.05);

/** Features against the background, scaled to length 1. */
export function relativeTo({ mean, deviation }: Background, features: Float32Array): Float32Array {
  return unit(
    features.map((value, i) => (value - (mean[i] as number)) / ((deviation[i] as number) + leastDeviation)),
  );
}

/** @param examples features of two images or more. */
export function makePrototype(examples: readonly Float32Array[], background: Background): Prototyping {
  const units = examples.map((features) => relativeTo(background, features));
  const total = sum(units);
  // Compare each example with the mean of the others, because it fits a mean that includes it.
  const cosines = units.map((example) => {
    const others = unit(total.map((value, i) => value - (example[i] as number)));
    return dot(example, others);
  });
  const typical = average(cosines);
  const spread = Math.max(leastSpread, Math.sqrt(average(cosines.map((cosine) => (cosine - typical) ** 2))));
  // The same number of standard deviations from the examples as from everything else.
  const threshold = (typical * background.spread) / (spread + background.spread);
  const outliers = cosines.flatMap((cosine, i) => (cosine < threshold || cosine < leastAgreement ? [i] : []));
  if (!(typical >= leastAgreement)) return { ok: false, outliers };
  const slope = typicalLogit / (typical - threshold);
  return { ok: true, prototype: { direction: unit(total), threshold, slope }, outliers };
}

/** Confidence that an image belongs to the category, 0 to 1. @param features of the image, `relativeTo` the background */
export function confidenceIn({ direction, threshold, slope }: Prototype, features: Float32Array): number {
  return 1 / (1 + Math.exp(-slope * (dot(features, direction) - threshold)));
}

/** Words of four bytes before a direction: version, threshold, slope. */
const headWords = 3;

/** Bytes of a prototype with a direction of the given length. */
export const prototypeBytes = (length: number): number => 4 * (headWords + length);

/** A prototype as bytes, little-endian: version (uint32), threshold, slope, direction (float32). */
export function encodePrototype({ direction, threshold, slope }: Prototype, version: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(prototypeBytes(direction.length)));
  bytes.setUint32(0, version, true);
  [threshold, slope, ...direction].forEach((value, i) => {
    bytes.setFloat32(4 * (i + 1), value, true);
  });
  return new Uint8Array(bytes.buffer);
}

/**
 * Reads prototypes one after the other.
 * @throws Error when the bytes are not a whole number of prototypes, or were made with another model or background.
 */
export function decodePrototypes(bytes: Uint8Array, { version, mean }: Background): Prototype[] {
  const size = prototypeBytes(mean.length);
  if (bytes.length % size !== 0) throw new Error(`a prototype has ${size} bytes`);
  return Array.from({ length: bytes.length / size }, (_, k) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset + k * size, size);
    if (view.getUint32(0, true) !== version) throw new Error('a prototype was made with another model');
    const at = (word: number) => view.getFloat32(4 * word, true);
    const direction = Float32Array.from(mean, (_, i) => at(headWords + i));
    return { threshold: at(1), slope: at(2), direction };
  });
}

function unit(values: Float32Array): Float32Array {
  const length = Math.sqrt(dot(values, values));
  return length > 0 ? values.map((value) => value / length) : values;
}

function sum(vectors: readonly Float32Array[]): Float32Array {
  const total = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < total.length; i++) total[i] = (total[i] as number) + (vector[i] as number);
  }
  return total;
}

function dot(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let i = 0; i < a.length; i++) product += (a[i] as number) * (b[i] as number);
  return product;
}

const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
