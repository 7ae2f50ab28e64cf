/**
 * Reads the validation images of WIDER FACE: wider_face_split/wider_face_val_bbx_gt.txt has for each image its path, the
 * number of faces, and a line for each face. An image without a face has one line of zeros.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '../../wire/faces';
import { InputError } from '../input/input-error';
import { isFile } from './labels';

export const widerFace = {
  name: 'wider-face',
  set: 'WIDER FACE, validation images',
  list: 'wider_face_split/wider_face_val_bbx_gt.txt',
  images: 'WIDER_val/images',
} as const;

export interface AnnotatedImage {
  readonly path: string;
  readonly faces: readonly AnnotatedFace[];
}

export interface AnnotatedFace {
  /** Box in pixels. */
  readonly box: Box;
  /** The annotation calls the face invalid, or the face is too small to be found by anyone: it counts neither way. */
  readonly isIgnored: boolean;
  /** The group of each column, such as `none` for occlusion. */
  readonly groups: readonly string[];
}

/** Faces below this height count neither way, as in the evaluation of the set. */
export const minHeight = 10;
/** Columns of a line: left, top, width, height, blur, expression, illumination, invalid, occlusion, pose. */
const fieldCount = 10;

export const columns = ['height', 'blur', 'occlusion', 'pose'] as const;
const levels = {
  blur: ['clear', 'normal blur', 'heavy blur'],
  occlusion: ['no occlusion', 'partial occlusion', 'heavy occlusion'],
  pose: ['typical pose', 'atypical pose'],
} as const;

/** The bands of the set's own description. */
const heightGroup = (height: number): string => {
  if (height < 50) return `${minHeight} to 49 pixels`;
  return height < 300 ? '50 to 299 pixels' : '300 pixels and more';
};

/** @throws InputError that names the file that is missing, or the line */
export function readWiderFace(folder: string): AnnotatedImage[] {
  const lines = readList(folder).split(/\r?\n/);
  const images: AnnotatedImage[] = [];
  let line = 0;
  while ((lines[line] ?? '').trim() !== '') {
    const path = join(folder, widerFace.images, (lines[line] as string).trim());
    const count = Number(lines[line + 1]);
    const place = `${widerFace.list}, line ${line + 1}`;
    if (!Number.isInteger(count) || (lines[line + 1] ?? '').trim() === '')
      throw new InputError(`${place}: the next line is not the number of faces.`);
    if (!isFile(path))
      throw new InputError(`${place}: ${path} is missing. Images belong to ${widerFace.images}.`);
    const first = line + 2;
    const faces = Array.from({ length: count }, (_, i) => readFace(lines[first + i], first + i + 1));
    images.push({ path, faces });
    line = first + Math.max(1, count);
  }
  if (images.length === 0) throw new InputError(`${widerFace.list} names no image.`);
  return images;
}

function readList(folder: string): string {
  const path = join(folder, widerFace.list);
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new InputError(
      `${path} cannot be read. The recipe for ${widerFace.set} needs ${widerFace.list} and ${widerFace.images}.`,
    );
  }
}

function readFace(line: string | undefined, number: number): AnnotatedFace {
  const values = (line ?? '').trim().split(/\s+/).map(Number);
  if (values.length !== fieldCount || values.some(Number.isNaN))
    throw new InputError(`${widerFace.list}, line ${number}: not ${fieldCount} numbers.`);
  const [left = 0, top = 0, width = 0, height = 0, blur = 0, , , invalid, occlusion = 0, pose = 0] = values;
  return {
    box: { left, top, width, height },
    isIgnored: invalid === 1 || height < minHeight || width <= 0,
    groups: [
      heightGroup(height),
      levels.blur[blur] ?? '',
      levels.occlusion[occlusion] ?? '',
      levels.pose[pose] ?? '',
    ],
  };
}
