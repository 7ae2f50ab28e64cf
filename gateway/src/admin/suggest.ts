/** Levenshtein distance: characters to insert, delete or replace to turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] as number) + (char === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** Longer texts are not typing mistakes. */
const longest = 64;

/** Suggests the nearest candidate, if at most a third of it differs. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  if (text.length > longest) return undefined;
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(text, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, candidate.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}
