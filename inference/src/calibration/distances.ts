/** All pairs of some embedded images of known people, in one order: image 1 with 2, 1 with 3, ..., 2 with 3, ... */
import type { Embedding } from '../pipeline/faces/embed';
import { distanceBetween } from '../pipeline/faces/similarity';

export interface Embedded {
  readonly person: string;
  readonly embedding: Embedding;
}

export interface Pairs {
  /** Position of the person of each image among all people. */
  readonly people: Int32Array;
  /** 1 for each pair whose images show one person, else 0. */
  readonly same: Uint8Array;
  /** The cosine distance of each pair. */
  readonly distances: Float32Array;
}

export function pairsOf(images: readonly Embedded[]): Pairs {
  const names = [...new Set(images.map(({ person }) => person))];
  const people = Int32Array.from(images, ({ person }) => names.indexOf(person));
  const count = (images.length * (images.length - 1)) / 2;
  const same = new Uint8Array(count);
  const distances = new Float32Array(count);
  let pair = 0;
  for (let i = 0; i < images.length; i++) {
    for (let j = i + 1; j < images.length; j++, pair++) {
      const [a, b] = [images[i], images[j]] as [Embedded, Embedded];
      same[pair] = Number(people[i] === people[j]);
      distances[pair] = distanceBetween(a.embedding, b.embedding);
    }
  }
  return { people, same, distances };
}
