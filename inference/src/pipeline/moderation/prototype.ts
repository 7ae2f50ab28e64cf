/**
 * Custom categories from a few examples. Features of the moderation model are measured against a background of
 * ordinary images and scaled to length 1; the mean of the examples is the category's prototype (Snell et al.,
 * Prototypical Networks for Few-shot Learning, 2017), and the cosine to it tells how well an image fits. What is
 * kept of the examples is this mean alone.
 */

/** Features of ordinary images, per feature, and how far their cosines to a prototype of something else spread. */
export interface Background {
  /** The prototypes made against this background with this model; others mean nothing here. 0 to 2^32 - 1. */
  readonly version: number;
  readonly mean: Float32Array;
  /** Standard deviation. */
  readonly deviation: Float32Array;
  /** Standard deviation of the cosines of images that do not belong; their mean is 0. */
  readonly spread: number;
}

export interface Prototype {
  /** Of length 1. */
  readonly direction: Float32Array;
  /** Cosine that stands for a confidence of 0.5. */
  readonly threshold: number;
  /** Confidence = 1 / (1 + exp(-slope * (cosine - threshold))). */
  readonly slope: number;
}

/** A prototype, or why there is none; either way, which examples fit the others badly, as places in their list. */
export type Prototyping =
  | { readonly ok: true; readonly prototype: Prototype; readonly outliers: readonly number[] }
  | { readonly ok: false; readonly outliers: readonly number[] };

/** Features that hardly vary in the background must not drown the others. */
const leastDeviation = 0.05;
/** Few examples can be alike by chance, or for being frames of one scene: the category must not be that narrow. */
const leastSpread = 0.08;
/**
 * Mean cosine of an example to the mean of the others, below which they show no common thing. Examples of one kind
 * gave 0.15 to 0.8, mixtures of nine kinds -0.2 to 0.04.
 */
const leastAgreement = 0.15;
/** Log-odds of the confidence that a typical example gets: 0.95. */
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
  // Each against the mean of the others: against a mean that holds it, every example would look good.
  const cosines = units.map((own) => {
    const others = unit(total.map((value, i) => value - (own[i] as number)));
    return dot(own, others);
  });
  const typical = average(cosines);
  const spread = Math.max(leastSpread, Math.sqrt(average(cosines.map((cosine) => (cosine - typical) ** 2))));
  // As many standard deviations from the examples as from everything else.
  const threshold = (typical * background.spread) / (spread + background.spread);
  const outliers = cosines.flatMap((cosine, i) => (cosine < threshold || cosine < leastAgreement ? [i] : []));
  if (!(typical >= leastAgreement)) return { ok: false, outliers };
  const slope = typicalLogit / (typical - threshold);
  return { ok: true, prototype: { direction: unit(total), threshold, slope }, outliers };
}

/** How sure it is that an image belongs, 0 to 1. @param features the image's, `relativeTo` the background. */
export function confidenceIn({ direction, threshold, slope }: Prototype, features: Float32Array): number {
  return 1 / (1 + Math.exp(-slope * (dot(features, direction) - threshold)));
}

/** Words of four bytes before a direction: version, threshold, slope. */
const headWords = 3;

/** Bytes of a prototype whose direction has so many values. */
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
 * Prototypes that lie one after the other.
 * @throws Error when the bytes are no whole number of prototypes, or were made with another model or background.
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
