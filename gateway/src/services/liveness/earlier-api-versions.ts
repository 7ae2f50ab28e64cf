/** Clients of earlier API versions get values that they know in place of those that a later version added. */
import type { Guidance } from './capture/guidance';
import type { Hint } from './session/session';

/** The API version that added the values below. */
const addedIn = '2026-11-29';

const earlierGuidance: Readonly<Partial<Record<Guidance, Guidance>>> = { turnFurther: 'ok' };

const earlierHints: Readonly<Partial<Record<Hint, Hint>>> = {
  noFace: 'movement',
  tooFar: 'movement',
  tooDark: 'lighting',
};

export function withKnownGuidance<Frame extends { readonly guidance: Guidance }>(
  frame: Frame,
  apiVersion: string,
): Frame {
  const guidance = apiVersion < addedIn ? earlierGuidance[frame.guidance] : undefined;
  return guidance ? { ...frame, guidance } : frame;
}

export function withKnownHint<Outcome extends { readonly hint?: Hint }>(
  outcome: Outcome,
  apiVersion: string,
): Outcome {
  const hint = apiVersion < addedIn && outcome.hint ? earlierHints[outcome.hint] : undefined;
  return hint ? { ...outcome, hint } : outcome;
}
