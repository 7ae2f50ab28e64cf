/** Accessories on face and head: probes on the features of the description model. */
import type { Probe } from '../../catalogue/manifest-parts';
import type { Accessory, AccessoryType } from '../../wire/faces';
import { probabilityOf } from './probe';

export const accessoryTypes = ['glasses', 'sunglasses', 'mask', 'headwear'] as const;
export type AccessoryProbes = Readonly<Record<AccessoryType, Probe>>;

/** @returns the accessories above 0.5, most likely first; of glasses and sunglasses only the likelier one */
export function accessoriesOf(features: Float32Array, probes: AccessoryProbes): Accessory[] {
  const seen = accessoryTypes
    .map((type) => ({ type, confidence: probabilityOf(probes[type], features) }))
    .filter(({ confidence }) => confidence > 0.5)
    .sort((a, b) => b.confidence - a.confidence);
  const lenses = seen.filter(({ type }) => type === 'glasses' || type === 'sunglasses');
  return seen.filter((accessory) => accessory !== lenses[1]);
}
