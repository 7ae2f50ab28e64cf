/** Measures how well a face can be seen. */
import type { Quality } from '../../wire/faces';
import type { DecodedImage } from '../image/decoded-image';
import { faceMap } from './face-crops';
import type { Face } from './find-faces';

/** Side of the measured crop in pixels. A smaller face is enlarged and has no finer detail. */
const size = 96;
/**
 * The detail (mean absolute Laplacian over the standard deviation of luma) at which sharpness reaches 0.5. Sharp
 * portraits have 0.3 to 0.45, images of LFW 0.2 in the median, those out of focus less than 0.1.
 */
const halfDetail = 0.2;

/** Indices of the pixels within 0.4 of the side from the middle; none lies on the edge. */
const inside = circle(0.4 * size);

/** Measures a face in the circle around the middle of its mesh, which excludes most of hair and background. */
export function measureQuality(image: DecodedImage, { mesh }: Pick<Face, 'mesh'>): Quality {
  const pixels = new Uint8Array(3 * size * size);
  image.sample(faceMap(mesh, 1, size), size, pixels);
  const luma = lumaOf(pixels);
  const mean = inside.reduce((sum, i) => sum + (luma[i] as number), 0) / inside.length;
  let variance = 0;
  let detail = 0;
  for (const i of inside) {
    const value = luma[i] as number;
    variance += (value - mean) ** 2;
    const around =
      (luma[i - 1] as number) +
      (luma[i + 1] as number) +
      (luma[i - size] as number) +
      (luma[i + size] as number);
    detail += Math.abs(4 * value - around);
  }
  const deviation = Math.sqrt(variance / inside.length);
  // One gray level avoids dividing zero by zero for an empty crop.
  const ratio = detail / inside.length / (deviation + 1);
  return { brightness: mean / 255, sharpness: 1 - 2 ** -(ratio / halfDetail) };
}

/** Rec. 601 luma, 0 to 255. */
function lumaOf(pixels: Uint8Array): Float32Array {
  const luma = new Float32Array(pixels.length / 3);
  for (let i = 0; i < luma.length; i++) {
    luma[i] =
      0.299 * (pixels[3 * i] as number) +
      0.587 * (pixels[3 * i + 1] as number) +
      0.114 * (pixels[3 * i + 2] as number);
  }
  return luma;
}

function circle(radius: number): number[] {
  const half = (size - 1) / 2;
  return Array.from({ length: size * size }, (_, i) => i).filter(
    (i) => Math.hypot((i % size) - half, Math.floor(i / size) - half) < radius,
  );
}
