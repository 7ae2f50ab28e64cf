/** The distance between embeddings and its calibration to the API's similarity. */
import type { Calibration } from '../../catalogue/manifest-parts';
import type { Embedding } from './embed';

/** Cosine distance: 0 for the same face, 2 at most. */
export function distanceBetween(a: Embedding, b: Embedding): number {
  let cosine = 0;
  for (let i = 0; i < a.length; i++) cosine += (a[i] as number) * (b[i] as number);
  return 1 - cosine;
}

/** Finer than any difference between photos, and coarser than the rounding errors of embeddings. */
const steps = 1e6;

/** Similarity of a distance, 0 to 1, in steps of a millionth, so that identical faces have exactly 1; monotone. */
export function similarityOf(distance: number, calibration: Calibration): number {
  return Math.round(interpolated(distance, calibration) * steps) / steps;
}

function interpolated(distance: number, { curve }: Calibration): number {
  const after = curve.findIndex(([d]) => d >= distance);
  if (after === 0) return (curve[0] as readonly [number, number])[1];
  if (after < 0) return (curve.at(-1) as readonly [number, number])[1];
  const [d0, s0] = curve[after - 1] as readonly [number, number];
  const [d1, s1] = curve[after] as readonly [number, number];
  return s0 + ((s1 - s0) * (distance - d0)) / (d1 - d0);
}
