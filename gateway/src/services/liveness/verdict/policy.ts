/** How strictly a verdict judges. Each session has one policy; the rules state what a policy changes. */

export const levels = ['standard', 'strict'] as const;
export type Level = (typeof levels)[number];

export interface Policy {
  /** `strict` applies further rules, which refuse more attacks and more genuine users. */
  readonly level: Level;
  /** Least confidence of a live verdict, 0.5 to 0.97: an attempt without any suspicion has 0.97. */
  readonly minConfidence: number;
  /** Refuses a camera whose label is that of a virtual camera. A label is easily changed. */
  readonly refuseVirtualCamera: boolean;
  /** Refuses an attempt whose face does not reflect the colors of the page. */
  readonly requireLight: boolean;
}

/** The policies that a level stands for. */
export const policies: Readonly<Record<Level, Policy>> = {
  standard: { level: 'standard', minConfidence: 0.5, refuseVirtualCamera: false, requireLight: false },
  strict: { level: 'strict', minConfidence: 0.5, refuseVirtualCamera: true, requireLight: true },
};
