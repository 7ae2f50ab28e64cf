/** The look of the hosted page for an account. */
import type { LivenessBranding } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import plans from '@presenza/contract/plans.json';
import { OperatorError } from '../../errors';
import type { Immutable } from '../contract/immutable';

export type Branding = Immutable<LivenessBranding>;

/** The page's own background. */
const standardBackground = '#ffffff';

/** @returns undefined if the account has none, or its plan does not include it */
export const brandingOf = ({
  plan,
  branding,
}: {
  readonly plan: string;
  readonly branding?: Branding;
}): Branding | undefined => (includesBranding(plan) ? branding : undefined);

const includesBranding = (plan: string) => plans.find(({ tier }) => tier === plan)?.allowBranding ?? false;

/**
 * @param branding of the form that the contract describes.
 * @throws OperatorError if the plan does not include branding, or the contrast is too low
 */
export function checkBranding({ colors }: Branding, plan: string): void {
  if (!includesBranding(plan)) throw new OperatorError(`The plan ${plan} does not include branding`);
  if (!colors) return;
  const { minContrast } = limits.liveness.branding;
  const { accent, background = standardBackground } = colors;
  const ratio = contrast(accent, background);
  if (ratio < minContrast) {
    throw new OperatorError(
      `The colors ${accent} on ${background} have a contrast of ${ratio.toFixed(2)} to 1, and need ${minContrast} to 1 to be readable`,
    );
  }
}

/** Contrast ratio of two colors, 1 to 21 (WCAG 2.2, "contrast ratio"). @param color `#rrggbb` */
export function contrast(color: string, other: string): number {
  const [light, dark] = [luminance(color), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** 0 to 1 (WCAG 2.2, "relative luminance"). */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
