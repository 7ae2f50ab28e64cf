/** All pairs of some embedded images of known people, in one order: image 1 with 2, 1 with 3, ..., 2 with 3, ... */

/** An image with one unit vector for each part of its embedding. */
export interface Embedded {
  readonly person: string;
  readonly parts: readonly Float32Array[];
}

export interface Pairs {
  /** Position of the person of each image among all people. */
  readonly people: Int32Array;
  /** For each pair, whether both images show one person. */
  readonly same: Uint8Array;
  /** For each part, the cosine distance of each pair. */
  readonly distances: readonly Float32Array[];
}

export function pairsOf(images: readonly Embedded[]): Pairs {
  const names = [...new Set(images.map(({ person }) => person))];
  const people = Int32Array.from(images, ({ person }) => names.indexOf(person));
  const count = (images.length * (images.length - 1)) / 2;
  const same = new Uint8Array(count);
  const distances = (images[0]?.parts ?? []).map(() => new Float32Array(count));
  let pair = 0;
  for (let i = 0; i < images.length; i++) {
    for (let j = i + 1; j < images.length; j++, pair++) {
      same[pair] = Number(people[i] === people[j]);
      for (let part = 0; part < distances.length; part++) {
        const [a, b] = [images[i], images[j]].map((one) => one?.parts[part]) as [Float32Array, Float32Array];
        let dot = 0;
        for (let k = 0; k < a.length; k++) dot += (a[k] as number) * (b[k] as number);
        (distances[part] as Float32Array)[pair] = 1 - dot;
      }
    }
  }
  return { people, same, distances };
}

/** The distances of a fusion: for each pair the weighted mean over the parts. */
export function fuse(distances: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const fused = new Float32Array(distances[0]?.length ?? 0);
  distances.forEach((part, p) => {
    for (let pair = 0; pair < fused.length; pair++) {
      fused[pair] = (fused[pair] as number) + (weights[p] as number) * (part[pair] as number);
    }
  });
  return fused;
}

/**
 * The weights that separate same from different people best, if the parts err independently: the difference of the mean
 * distances over the variance among different people (Fisher's linear discriminant, 1936, with a diagonal covariance).
 * The errors of two models are correlated, but on LFW folds 1 to 3 the full covariance gave a worse fusion.
 * @returns shares that add up to 1.
 * @throws Error when a part does not separate them at all, or there are no pairs of one person.
 */
export function fitWeights({ same, distances }: Pairs): number[] {
  if (!same.includes(1)) throw new Error('weights need people with two images or more');
  const separations = distances.map((values) => {
    const [different, alike] = [0, 1].map((kind) => momentsOf(values, same, kind)) as [Moments, Moments];
    return (different.mean - alike.mean) / different.variance;
  });
  if (!separations.every((value) => value > 0)) throw new Error('a model does not distinguish people');
  const sum = separations.reduce((total, value) => total + value, 0);
  return separations.map((value) => Number((value / sum).toFixed(4)));
}

interface Moments {
  readonly mean: number;
  readonly variance: number;
}

function momentsOf(values: Float32Array, same: Uint8Array, kind: number): Moments {
  let [count, sum, squares] = [0, 0, 0];
  for (let pair = 0; pair < values.length; pair++) {
    if (same[pair] !== kind) continue;
    const value = values[pair] as number;
    count += 1;
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  return { mean, variance: squares / count - mean * mean };
}
