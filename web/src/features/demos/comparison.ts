/** Decisions about two images based on their similarity. */

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

/** The similarity of two different images in any order. @throws Error for a pair without a comparison */
export function similarityOf(pairs: readonly Similarity[], one: string, other: string): number {
  const found = pairs.find(
    ({ source, target }) => (source === one && target === other) || (source === other && target === one),
  );
  if (!found) throw new Error(`${one} and ${other} were not compared.`);
  return found.similarity;
}

/** Like in the API, a similarity equal to the threshold matches. */
export const isMatch = (similarity: number, threshold: number): boolean => similarity >= threshold;

/** The contract's band of a threshold; undefined below all bands. The last band includes its end. */
export const bandOf = (bands: readonly Band[], threshold: number): Band | undefined =>
  bands.find(({ from, to }, i) => threshold >= from && (threshold < to || i === bands.length - 1));

/** Warnings in words, in their order. @throws Error for a warning without words */
export function textOf(
  warnings: readonly string[],
  words: readonly { warning: string; text: string }[],
): string {
  const texts = warnings.map((warning) => {
    const found = words.find((one) => one.warning === warning);
    if (!found) throw new Error(`The warning ${warning} has no words.`);
    return found.text;
  });
  return texts.join(', ');
}
