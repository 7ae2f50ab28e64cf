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
export function similarityOf(pairs: readonly Similarity[], first: string, other: string): number {
  const pair = pairs.find(
    ({ source, target }) => (source === first && target === other) || (source === other && target === first),
  );
  if (!pair) throw new Error(`${first} and ${other} were not compared.`);
  return pair.similarity;
}

/** Like in the API, a similarity equal to the threshold matches. */
export const isMatch = (similarity: number, threshold: number): boolean => similarity >= threshold;

/** The contract's band of a threshold; undefined below all bands. The last band includes its end. */
export const bandOf = (bands: readonly Band[], threshold: number): Band | undefined =>
  bands.find(({ from, to }, i) => threshold >= from && (threshold < to || i === bands.length - 1));

/** The texts of warnings, in their order. @throws Error for a warning without a text */
export function textOf(
  warnings: readonly string[],
  entries: readonly { warning: string; text: string }[],
): string {
  const texts = warnings.map((warning) => {
    const match = entries.find((entry) => entry.warning === warning);
    if (!match) throw new Error(`The warning ${warning} has no text.`);
    return match.text;
  });
  return texts.join(', ');
}
