/** What a threshold makes of the confidences of a moderation. */

export interface Element {
  type: string;
  confidence: number;
  subTypes?: readonly Element[] | null;
}

/** As the API decides: a confidence that equals the threshold is reported. Surest first. */
export const detectedAt = (elements: readonly Element[], threshold: number): Element[] =>
  elements.filter(({ confidence }) => confidence >= threshold).sort((a, b) => b.confidence - a.confidence);

/** A category with the surest of its kinds. */
export const nameOf = ({ type, subTypes }: Element): string => {
  const [surest] = [...(subTypes ?? [])].sort((a, b) => b.confidence - a.confidence);
  return surest ? `${type}: ${surest.type}` : type;
};
