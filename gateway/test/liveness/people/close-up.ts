/** Photos of faces that are too close to a camera. */
import { fitPhotos, samplePhotos } from './fits';
import { cropped, type Rgb, readRgb, resized } from './image';
import { type Camera, vga } from './scene';
import type { Subject } from './subject';

/** Faces of fewer pixels than this have too little detail to fill an image. */
const minHeight = 80;
const maxTurn = 30;

/**
 * Images that a face fills from its upper to its lower edge.
 * @param margin above and below the face, as a share of its height; negative where the image cuts the face off.
 */
export async function closeUps(margin: number, { width, height }: Camera = vga): Promise<Rgb[]> {
  const images = fitPhotos(samplePhotos).map(async ({ faces, photo, ...size }) => {
    const image = await readRgb(photo, { ...size, fit: 'fill' });
    return faces.flatMap(({ points, pose }) => {
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
      const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
      const tall = Math.round((bottom - top) * (1 + 2 * margin));
      const wide = Math.round((tall * width) / height);
      const left = Math.round((Math.min(...xs) + Math.max(...xs) - wide) / 2);
      const above = Math.round(top - margin * (bottom - top));
      const isInside = left >= 0 && above >= 0 && left + wide <= image.width && above + tall <= image.height;
      const isFrontal = Math.hypot(pose.yaw, pose.pitch) < maxTurn;
      if (bottom - top < minHeight || !isFrontal || !isInside) return [];
      return [cropped(image, { left, top: above, width: wide, height: tall })];
    });
  });
  const all = (await Promise.all(images)).flat();
  return Promise.all(all.map((image) => resized(image, width, height)));
}

/** An image that fills the camera and never changes. */
export const still = (image: Rgb): Subject => ({ instruct: () => {}, frameAt: async () => image });
