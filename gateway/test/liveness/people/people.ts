/** People to film: those of the sample photographs who look almost straight into the camera. */
import { type Fit, type FittedPhoto, fitPhotos, samplePhotos } from './fits';
import { headFrom } from './head';
import { cropped, type Rgb, readRgb, resized } from './image';
import type { Solid } from './solid';

export interface Person {
  readonly name: string;
  readonly head: Solid;
  /** Mean color of the cheeks, for skin that the photograph does not show. */
  readonly skin: readonly [red: number, green: number, blue: number];
}

/** Over these angles, in degrees, a photograph shows only one side of the face, or a person who lies down. */
const frontal = { yaw: 20, pitch: 20, roll: 25 };
/** Width of a face in its texture, in pixels, like that of a face close to a camera. */
const faceWidth = 260;
/** Size of the texture in widths of the face. */
const margin = 0.6;
const cheeks = [50, 280, 205, 425] as const;

/**
 * Fits the photographs and cuts out the people.
 * @param photos files; by default those of the installed packages.
 */
export async function loadPeople(photos: readonly string[] = samplePhotos): Promise<Person[]> {
  const people = fitPhotos(photos).map(async (fitted) => {
    const chosen = fitted.faces
      .map((fit, i) => ({ fit, name: `${fitted.photo.replace(/^.*\/|\.\w+$/g, '')}-${i}` }))
      .filter(({ fit: { pose } }) => isFrontal(pose));
    if (chosen.length === 0) return [];
    const photo = await readRgb(fitted.photo, sizeOf(fitted));
    return Promise.all(chosen.map(({ fit, name }) => personFrom(photo, fit, name)));
  });
  return (await Promise.all(people)).flat();
}

const isFrontal = ({ yaw, pitch, roll }: Fit['pose']) =>
  Math.abs(yaw) <= frontal.yaw && Math.abs(pitch) <= frontal.pitch && Math.abs(roll) <= frontal.roll;

const sizeOf = ({ width, height }: FittedPhoto) => ({ width, height, fit: 'fill' as const });

async function personFrom(photo: Rgb, fit: Fit, name: string): Promise<Person> {
  const xs = fit.points.map(([x]) => x);
  const ys = fit.points.map(([, y]) => y);
  const width = Math.max(...xs) - Math.min(...xs);
  const around = margin * width;
  const left = Math.max(0, Math.floor(Math.min(...xs) - around));
  const top = Math.max(0, Math.floor(Math.min(...ys) - around));
  const right = Math.min(photo.width, Math.ceil(Math.max(...xs) + around));
  const bottom = Math.min(photo.height, Math.ceil(Math.max(...ys) + around));
  const scale = Math.min(1, faceWidth / width);
  const cut = cropped(photo, { left, top, width: right - left, height: bottom - top });
  const texture = await resized(cut, Math.round(cut.width * scale), Math.round(cut.height * scale));
  const points = fit.points.map(([x, y, z]) => [(x - left) * scale, (y - top) * scale, z * scale] as const);
  const skin = [0, 1, 2].map((channel) => {
    const levels = cheeks.map((i) => {
      const [x, y] = points[i] as readonly [number, number, number];
      return texture.data[3 * (Math.round(y) * texture.width + Math.round(x)) + channel] as number;
    });
    return Math.round(levels.reduce((sum, level) => sum + level, 0) / levels.length);
  });
  return {
    name,
    head: headFrom(texture, { points, pose: fit.pose }),
    skin: skin as unknown as Person['skin'],
  };
}
