/** What is decided about two pictures once their similarity is known. */

export interface Similarity {
  source: string;
  target: string;
  similarity: number;
}

export interface Band {
  label: string;
  from: number;
  to: number;
}

/** Of two different pictures, whichever way round. @throws Error for a pair that was never compared */
export function similarityOf(pairs: readonly Similarity[], one: string, other: string): number {
  const found = pairs.find(
    ({ source, target }) => (source === one && target === other) || (source === other && target === one),
  );
  if (!found) throw new Error(`${one} and ${other} were not compared.`);
  return found.similarity;
}

/** As the API decides: a similarity that equals the threshold matches. */
export const isMatch = (similarity: number, threshold: number): boolean => similarity >= threshold;

/** What the contract calls a threshold; undefined below all its bands. The last band includes its end. */
export const bandOf = (bands: readonly Band[], threshold: number): Band | undefined =>
  bands.find(({ from, to }, i) => threshold >= from && (threshold < to || i === bands.length - 1));
