/**
 * Whether the near side of a turned face looks smeared. A photo taken from the front hardly shows the side of a head. Turning
 * it, on a mesh or by bending the image, stretches a few pixels over cheek, ear and jaw: fine detail is missing there, edges
 * run in the direction of the turn, and outlines lie where no head has them. A linear probe on the gradients of a coarse
 * grid separates such faces from portraits of people who really turned; `benchmarks/accuracy/smear.mjs` trains it. It needs
 * single frames only, so that portraits of LFW can serve as real ones. It knows the renderers that it was trained on and
 * misses others, first of all a photo that was taken from the side.
 */
import type { Pose } from '../../wire/faces';
import type { Smear } from '../../wire/frames';
import type { DecodedImage } from '../image/decoded-image';
import { cropMap, type Points } from '../image/geometry';
import { centerOf } from './landmarks';
import { median } from './median';
import { smearProbe } from './smear-probe';

/** Yaw of the measured frames, to either side, and their largest pitch, in degrees. */
const turned = { min: 18, max: 42, maxPitch: 25 } as const;
/** @param scores of the frames, undefined where the head is not turned */
export function measureSmear(scores: readonly (number | undefined)[]): Smear | undefined {
  const seen = scores.flatMap((score) => score ?? []);
  const logOdds = median(seen);
  return logOdds === undefined ? undefined : { logOdds, frames: seen.length };
}

/** Whether a frame shows the side of a head. */
export const isTurned = ({ yaw, pitch }: Pick<Pose, 'yaw' | 'pitch'>): boolean =>
  Math.abs(yaw) >= turned.min && Math.abs(yaw) <= turned.max && Math.abs(pitch) <= turned.maxPitch;

/** Log-odds that a turned face is smeared; undefined where it is not turned. */
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

/**
 * Energy, and direction twice, of the gradients in each cell of a grid, at two scales. The crop is upright and mirrored so
 * that the near side of the face is always on the same side.
 * @returns 2 * 3 * 36 values: of the fine scale, then of the coarse one, all energies, then both directions
 */
export function smearFeatures(image: DecodedImage, points: Points, yaw: number): Float64Array {
  const fine = lumaOf(image, points, yaw < 0);
  const coarse = smoothed(smoothed(smoothed(fine)));
  return Float64Array.from([fine, coarse].flatMap(gradientsOf));
}

function lumaOf(image: DecodedImage, points: Points, mirror: boolean): Float64Array {
  const [topX, topY] = centerOf(points, [top]);
  const [chinX, chinY] = centerOf(points, [chin]);
  const side = crop.span * Math.hypot(chinX - topX, chinY - topY);
  const angle = Math.atan2(topX - chinX, chinY - topY);
  const map = cropMap({ x: (topX + chinX) / 2, y: (topY + chinY) / 2, side, angle }, crop.pixels);
  const pixels = new Uint8Array(3 * crop.pixels ** 2);
  image.sample(map, crop.pixels, pixels);
  return Float64Array.from({ length: crop.pixels ** 2 }, (_, i) => {
    const x = i % crop.pixels;
    const at = 3 * (mirror ? i - x + (crop.pixels - 1 - x) : i);
    return (
      0.299 * (pixels[at] as number) + 0.587 * (pixels[at + 1] as number) + 0.114 * (pixels[at + 2] as number)
    );
  });
}

/** Weights 1, 2, 1 in both directions. Borders repeat. */
function smoothed(values: Float64Array): Float64Array {
  const size = crop.pixels;
  const at = (from: Float64Array, i: number) => from[i] as number;
  const across = values.map((value, i) => {
    const x = i % size;
    return (at(values, x > 0 ? i - 1 : i) + 2 * value + at(values, x < size - 1 ? i + 1 : i)) / 4;
  });
  return across.map((value, i) => {
    const y = Math.floor(i / size);
    return (at(across, y > 0 ? i - size : i) + 2 * value + at(across, y < size - 1 ? i + size : i)) / 4;
  });
}

/** The log energy of each cell against their mean, then the direction of its gradients as two values of -1 to 1. */
function gradientsOf(luma: Float64Array): number[] {
  const size = crop.pixels;
  const sums = Array.from({ length: cells ** 2 }, () => ({ xx: 0, yy: 0, xy: 0 }));
  for (let y = 1; y < size - 1; y++) {
    for (let x = 1; x < size - 1; x++) {
      const i = y * size + x;
      const dx = (luma[i + 1] as number) - (luma[i - 1] as number);
      const dy = (luma[i + size] as number) - (luma[i - size] as number);
      const cell = sums[cells * Math.floor(y / perCell) + Math.floor(x / perCell)] as (typeof sums)[number];
      cell.xx += dx * dx;
      cell.yy += dy * dy;
      cell.xy += dx * dy;
    }
  }
  const means = sums.map(({ xx, yy, xy }) => ({
    xx: xx / perCell ** 2,
    yy: yy / perCell ** 2,
    xy: xy / perCell ** 2,
  }));
  const totals = means.map(({ xx, yy }) => xx + yy + floor);
  const energies = totals.map(Math.log);
  const mean = energies.reduce((sum, one) => sum + one, 0) / energies.length;
  return [
    ...energies.map((one) => one - mean),
    ...means.map(({ xx, yy }, i) => (xx - yy) / (totals[i] as number)),
    ...means.map(({ xy }, i) => (2 * xy) / (totals[i] as number)),
  ];
}
