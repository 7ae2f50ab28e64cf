/** Applies a threshold to the confidences of a moderation. */

export interface Element {
  type: string;
  confidence: number;
  subTypes?: readonly Element[] | null;
}

/** Like in the API, a confidence equal to the threshold is reported. Most confident first. */
export const detectedAt = (elements: readonly Element[], threshold: number): Element[] =>
  elements.filter(({ confidence }) => confidence >= threshold).sort((a, b) => b.confidence - a.confidence);

/** A category with its most confident subtype. */
export const nameOf = ({ type, subTypes }: Element): string => {
  const [surest] = [...(subTypes ?? [])].sort((a, b) => b.confidence - a.confidence);
  return surest ? `${type}: ${surest.type}` : type;
};
