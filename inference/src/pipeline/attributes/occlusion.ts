/**
 * Whether eyes, nose or mouth are covered: a probe on the mesh model's features, which takes next to no time. It was
 * trained on portraits with drawn masks, lenses, hands and objects (`benchmarks/accuracy/probes`). It misses most real
 * sunglasses, and may call a bent or tilted head covered.
 */
import type { Probe } from '../../catalogue/manifest-parts';
import type { Occlusion } from '../../wire/faces';
import type { Mesh } from '../faces/mesh';
import { probabilityOf } from './probe';

const bandCount = 3;

export function occlusionOf({ features }: Pick<Mesh, 'features'>, probe: Probe): Occlusion {
  const occluded = probabilityOf(probe, bandsOf(features, probe.weights.length / bandCount));
  return occluded > 0.5 ? { value: true, confidence: occluded } : { value: false, confidence: 1 - occluded };
}

/**
 * Means over the upper, the middle and the lower third of the crop, which show about eyes, nose and mouth. A mirrored
 * face gives the same values.
 * @returns bandCount * channels values.
 */
export function bandsOf(features: Float32Array, channels: number): Float32Array {
  const perBand = features.length / bandCount;
  const cells = perBand / channels;
  const bands = new Float32Array(bandCount * channels);
  features.forEach((value, i) => {
    const at = Math.floor(i / perBand) * channels + (i % channels);
    bands[at] = (bands[at] as number) + value / cells;
  });
  return bands;
}
