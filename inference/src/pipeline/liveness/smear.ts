/**
 * Whether the near side of a turned face looks smeared. A photo taken from the front hardly shows the side of a head. Turning
 * it, on a mesh or by bending the image, stretches a few pixels over cheek and jaw: fine detail is missing there, and edges
 * run in the direction of the turn. A linear probe on the gradients of a coarse grid separates such faces from portraits of
 * people who really turned; `benchmarks/accuracy/smear.mjs` trains it. It needs single frames only, so that portraits of LFW
 * can serve as real ones. It sees only the face and nothing behind it, so that the wall does not matter. It knows the
 * renderers that it was trained on and misses most others, first of all a photo that was taken from the side.
 */
import type { Pose } from '../../wire/faces';
import type { Smear } from '../../wire/frames';
import type { DecodedImage } from '../image/decoded-image';
import { cropMap, type Points } from '../image/geometry';
import { cropLuma, mirroredPixel } from './crop-luma';
import { centerOf } from './landmarks';
import { median } from './median';
import { maskOf } from './outline';
import smearProbe from './smear-probe.json';

/** Yaw of the measured frames, to either side, and their largest pitch, in degrees. */
const turned = { min: 18, max: 42, maxPitch: 25 } as const;

/** @param scores of the frames, undefined if the head is not turned */
export function measureSmear(scores: readonly (number | undefined)[]): Smear | undefined {
  const seen = scores.flatMap((score) => score ?? []);
  const logOdds = median(seen);
  return logOdds === undefined ? undefined : { logOdds, frames: seen.length };
}

/** Whether a frame shows the side of a head. */
export const isTurned = ({ yaw, pitch }: Pick<Pose, 'yaw' | 'pitch'>): boolean =>
  Math.abs(yaw) >= turned.min && Math.abs(yaw) <= turned.max && Math.abs(pitch) <= turned.maxPitch;

/**
 * Log-odds that a turned face is smeared, less the limit, which is the 99th percentile of portraits; undefined if it is not
 * turned.
 */
export function smearScore(image: DecodedImage, points: Points, pose: Pose): number | undefined {
  if (!isTurned(pose)) return undefined;
  const features = smearFeatures(image, points, pose.yaw);
  return features.reduce((sum, value, i) => sum + value * (smearProbe.weights[i] as number), smearProbe.bias);
}

/** Middle of the forehead's edge, and chin: a turn to a side changes their distance least. */
const [top, chin] = [10, 152];
/** Side of the square around the middle of the face, in pixels and in distances of those points. */
const crop = { pixels: 96, span: 1.3 } as const;
const cells = 6;
const perCell = crop.pixels / cells;
/** Added to the energy of gradients, so that flat areas have neither direction nor a level of their own. */
const floor = 8;
/** Counted pixels of a cell from which on it has features; a cell with fewer is neutral. */
const leastPixels = 24;
/**
 * Only pixels inside the outline of the mesh count, by this distance in pixels: the contrast of a face to the wall behind it
 * depends on skin and wall, and looked like smear on dark skin.
 */
const depth = 1;
/**
 * The luma of the crop is scaled until the face has this mean, and cut off at `max`, as if the camera had exposed for the face.
 * Otherwise a dark face has less detail than the floor. `min`: the least mean, for crops without light.
 */
const exposure = { mean: 128, max: 255, min: 8 } as const;

/** Luma of a crop, and which of its pixels count: 1 or 0. */
interface Patch {
  readonly luma: Float64Array;
  readonly mask: Uint8Array;
}

/**
 * Energy, and direction twice, of the gradients in each cell of a grid, at two scales. The crop is upright and mirrored so
 * that the near side of the face is always on the same side.
 * @returns 2 * 3 * 36 values: of the fine scale, then of the coarse one, all energies, then both directions
 */
export function smearFeatures(image: DecodedImage, points: Points, yaw: number): Float64Array {
  const fine = exposed(patchOf(image, points, yaw < 0));
  const coarse = smoothed(smoothed(smoothed(fine)));
  return Float64Array.from([fine, coarse].flatMap(gradientsOf));
}

function patchOf(image: DecodedImage, points: Points, isMirrored: boolean): Patch {
  const [topX, topY] = centerOf(points, [top]);
  const [chinX, chinY] = centerOf(points, [chin]);
  const side = crop.span * Math.hypot(chinX - topX, chinY - topY);
  const angle = Math.atan2(topX - chinX, chinY - topY);
  const map = cropMap({ x: (topX + chinX) / 2, y: (topY + chinY) / 2, side, angle }, crop.pixels);
  const mask = maskOf(points, map, crop.pixels, depth);
  return {
    luma: cropLuma(image, map, crop.pixels, isMirrored),
    mask: isMirrored ? mask.map((_, i) => mask[mirroredPixel(i, crop.pixels)] as number) : mask,
  };
}

function exposed({ luma, mask }: Patch): Patch {
  const inside = luma.filter((_, i) => mask[i]);
  const mean = inside.reduce((sum, value) => sum + value, 0) / inside.length;
  const gain = exposure.mean / Math.max(exposure.min, mean);
  return { luma: luma.map((value) => Math.min(exposure.max, gain * value)), mask };
}

/** Weights 1, 2, 1 in both directions. Borders of the mask repeat. Values outside the mask mean nothing. */
function smoothed({ luma, mask }: Patch): Patch {
  const pass = (values: Float64Array, step: number) =>
    values.map((value, i) => {
      const at = (j: number) => (mask[j] ? (values[j] as number) : value);
      return (at(i - step) + 2 * value + at(i + step)) / 4;
    });
  return { luma: pass(pass(luma, 1), crop.pixels), mask };
}

/**
 * The log energy of each cell against their mean, then the direction of its gradients as two values of -1 to 1. Gradients
 * across the border of the mask do not count.
 */
function gradientsOf({ luma, mask }: Patch): number[] {
  const size = crop.pixels;
  const sums = Array.from({ length: cells ** 2 }, () => ({ xx: 0, yy: 0, xy: 0, pixels: 0 }));
  for (let y = 1; y < size - 1; y++) {
    for (let x = 1; x < size - 1; x++) {
      const i = y * size + x;
      if (!mask[i] || !mask[i - 1] || !mask[i + 1] || !mask[i - size] || !mask[i + size]) continue;
      const dx = (luma[i + 1] as number) - (luma[i - 1] as number);
      const dy = (luma[i + size] as number) - (luma[i - size] as number);
      const cell = sums[cells * Math.floor(y / perCell) + Math.floor(x / perCell)] as (typeof sums)[number];
      cell.xx += dx * dx;
      cell.yy += dy * dy;
      cell.xy += dx * dy;
      cell.pixels += 1;
    }
  }
  const means = sums.map(({ xx, yy, xy, pixels }) =>
    pixels < leastPixels ? undefined : { xx: xx / pixels, yy: yy / pixels, xy: xy / pixels },
  );
  const logs = means.map((mean) => mean && Math.log(mean.xx + mean.yy + floor));
  const seen = logs.flatMap((log) => log ?? []);
  const level = seen.reduce((sum, log) => sum + log, 0) / seen.length;
  return [
    ...logs.map((log) => (log === undefined ? 0 : log - level)),
    ...means.map((mean) => (mean ? (mean.xx - mean.yy) / (mean.xx + mean.yy + floor) : 0)),
    ...means.map((mean) => (mean ? (2 * mean.xy) / (mean.xx + mean.yy + floor) : 0)),
  ];
}
