/** How a detector's answer is read, as its manifest says. */

export type DecodingKind = 'blazeface' | 'ssd' | 'yunet' | 'scrfd';

export interface Decoding {
  readonly kind: DecodingKind;
  /** Probability below which a place is passed over, between 0 and 1. */
  readonly minScore: number;
  /** The same for faces that are small in the detector's view, where it blurs neighbours into one. */
  readonly minSmallScore?: number;
}
