/** The operator's values for an account as fields of a form, which are empty where the plan's apply. */
import type { Overrides } from '@presenza/contract/console/types.d.ts';
import type { Values } from '../../parts/form';

export const overrideFields = [
  'livenessDetection',
  'imageAnalysis',
  'livenessOverage',
  'imageOverage',
  'burst',
  'window',
  'concurrency',
  'sessionBytes',
] as const;
export type OverrideField = (typeof overrideFields)[number];

/** The value of each field that has one. */
export function valuesOf({ quota, overage, burst, concurrency, sessionBytes }: Overrides) {
  const values: Readonly<Record<OverrideField, number | undefined>> = {
    livenessDetection: quota?.livenessDetection,
    imageAnalysis: quota?.imageAnalysis,
    livenessOverage: overage?.livenessDetection,
    imageOverage: overage?.imageAnalysis,
    burst: burst?.limit,
    window: burst?.windowSeconds,
    concurrency,
    sessionBytes,
  };
  return values;
}

/** The overrides of a form; null if all of its fields are empty; 'both' if only one of two fields that belong together has a value. */
export function overridesOf(form: Values): Overrides | null | 'both' {
  const numberOf = (name: OverrideField) => {
    const text = form[name]?.trim() ?? '';
    return text === '' ? undefined : Number(text);
  };
  const [limit, windowSeconds] = [numberOf('burst'), numberOf('window')];
  if ((limit === undefined) !== (windowSeconds === undefined)) return 'both';
  const quota = filled({
    livenessDetection: numberOf('livenessDetection'),
    imageAnalysis: numberOf('imageAnalysis'),
  });
  const overage = filled({
    livenessDetection: numberOf('livenessOverage'),
    imageAnalysis: numberOf('imageOverage'),
  });
  const burst = limit !== undefined && windowSeconds !== undefined ? { limit, windowSeconds } : undefined;
  const others = { concurrency: numberOf('concurrency'), sessionBytes: numberOf('sessionBytes') };
  return (filled({ quota, overage, burst, ...others }) as Overrides | undefined) ?? null;
}

/** The members with a value; undefined if there is none. */
function filled<T extends object>(members: T) {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return entries.length === 0
    ? undefined
    : (Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> });
}
