/** People to film: those of the sample photographs who face the camera, or turn their heads by a third of a right angle. */
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

/**
 * Photographs from the front, and from the side. The first are what attackers find: they do not show the side of a head. The
 * others show one, and the head gets it on both sides. Angles in degrees.
 */
const views = {
  front: { yaw: { min: 0, max: 20 }, pitch: 20, roll: 25 },
  side: { yaw: { min: 20, max: 35 }, pitch: 16, roll: 25 },
} as const;
export type View = keyof typeof views;

/**
 * Left out, because a shoulder or hair covers the side of the head, which the verdict then takes for a stretched one. So stand-ins
 * say nothing about that rule.
 */
const hiddenSides = ['sample4-0', 'sample5-1', 'sample6-2'];
/** Width of a face in its texture, in pixels, like that of a face close to a camera. */
const faceWidth = 260;
/** Size of the texture in widths of the face. */
const margin = 0.6;
const cheeks = [50, 280, 205, 425] as const;

/**
 * Fits the photographs and cuts out the people.
 * @param photos files; by default those of the installed packages.
 */
export async function loadPeople(
  photos: readonly string[] = samplePhotos,
  view: View = 'side',
): Promise<Person[]> {
  const people = fitPhotos(photos).map(async (fitted) => {
    const chosen = fitted.faces
      .map((fit, i) => ({ fit, name: `${fitted.photo.replace(/^.*\/|\.\w+$/g, '')}-${i}` }))
      .filter(({ fit: { pose }, name }) => isSeenFrom(view, pose) && !hiddenSides.includes(name));
    if (chosen.length === 0) return [];
    const photo = await readRgb(fitted.photo, sizeOf(fitted));
    return Promise.all(
      chosen.map(({ fit, name }) => personFrom(photo, fit, { name, mirrored: view === 'side' })),
    );
  });
  return (await Promise.all(people)).flat();
}

function isSeenFrom(view: View, { yaw, pitch, roll }: Fit['pose']): boolean {
  const limits = views[view];
  const turn = Math.abs(yaw);
  const isLevel = Math.abs(pitch) <= limits.pitch && Math.abs(roll) <= limits.roll;
  return isLevel && turn >= limits.yaw.min && turn <= limits.yaw.max;
}

const sizeOf = ({ width, height }: FittedPhoto) => ({ width, height, fit: 'fill' as const });

/** @param photo in which the points of the fit are pixels */
export async function personFrom(
  photo: Rgb,
  fit: Fit,
  { name, mirrored }: { name: string; mirrored: boolean },
): Promise<Person> {
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
    head: headFrom(texture, { points, pose: fit.pose }, { mirrored }),
    skin: skin as unknown as Person['skin'],
  };
}
