/**
 * How many annotated faces the service finds, and how many of its boxes show none. This is no average precision, the figure
 * by which papers rank detectors on WIDER FACE: a service has one threshold, so it has one rate of each kind.
 */
import { readFile } from 'node:fs/promises';
import { closeModels, facesOf, loadModels } from '../../calibration/faces-of';
import { maxFaces } from '../../pipeline/faces/face';
import { overlap } from '../../pipeline/image/boxes';
import { sharp } from '../../pipeline/image/sharp';
import type { ServingModels } from '../../serving/serving-models';
import type { Box } from '../../wire/faces';
import { type Rate, rateOfTrials } from './rates';
import { type AnnotatedFace, type AnnotatedImage, columns, widerFace } from './wider-face';

const reportVersion = 2;
/** A box shows an annotated face if they share this proportion of their union. */
const minOverlap = 0.5;

export interface DetectionReport {
  readonly version: typeof reportVersion;
  readonly createdAt: string;
  readonly set: string;
  readonly system: { readonly models: readonly string[]; readonly precision: ServingModels['precision'] };
  readonly minOverlap: number;
  /** The most faces of one image that the service returns; some images show more. */
  readonly maxFaces: number;
  readonly images: number;
  /** Images that the service rejects; all of their faces are missed. */
  readonly unreadable: number;
  /** Faces that count neither way. */
  readonly ignored: number;
  readonly overall: FacesFound;
  /** Boxes that show no annotated face. */
  readonly falseBoxes: { readonly boxes: number; readonly wrong: number; readonly rate: Rate | null };
  readonly columns: readonly {
    readonly name: string;
    readonly groups: readonly (FacesFound & { readonly group: string })[];
  }[];
}

export interface FacesFound {
  readonly faces: number;
  readonly detected: number;
  /** The proportion that is missed, with an interval from drawing the images anew; null with too few images. */
  readonly missed: Rate | null;
}

/** The boxes of an image, best first; undefined if the service rejects the file. */
export type Boxes = readonly Box[] | undefined;

export interface DetectionOptions {
  readonly serving: ServingModels;
  readonly onProgress: (done: number, total: number) => void;
  readonly now: Date;
}

export async function evaluateDetection(
  images: readonly AnnotatedImage[],
  { serving, onProgress, now }: DetectionOptions,
): Promise<DetectionReport> {
  const { near, thorough, mesh, embedding } = serving.models;
  const loaded = await loadModels({ near, thorough, mesh, embedding });
  const detections: Boxes[] = [];
  try {
    for (const { path } of images) {
      const faces = await facesOf(loaded, path);
      detections.push(faces && (await inFile(path, faces)));
      onProgress(detections.length, images.length);
    }
  } finally {
    await closeModels(loaded);
  }
  const models = [near, thorough, mesh].map(({ id }) => id);
  return reportOf(images, detections, { models, precision: serving.precision, now });
}

/** Boxes in pixels of the file, which the service may have shrunk, best first. */
async function inFile(path: string, faces: NonNullable<Awaited<ReturnType<typeof facesOf>>>): Promise<Box[]> {
  const [first] = faces;
  if (!first) return [];
  const { width } = await sharp(await readFile(path)).metadata();
  const scale = width / first.image.width;
  return [...faces]
    .sort((a, b) => b.face.confidence - a.face.confidence)
    .map(({ face: { box } }) => ({
      left: scale * box.left,
      top: scale * box.top,
      width: scale * box.width,
      height: scale * box.height,
    }));
}

interface Circumstances {
  readonly models: readonly string[];
  readonly precision: ServingModels['precision'];
  readonly now: Date;
}

export function reportOf(
  images: readonly AnnotatedImage[],
  detections: readonly Boxes[],
  { models, precision, now }: Circumstances,
): DetectionReport {
  const matched = images.map(({ faces }, i) => matchBoxes(faces, detections[i] ?? []));
  const counted = images.map(({ faces }) => faces.filter(({ isIgnored }) => !isIgnored));
  const facesFound = (belongs: (face: AnnotatedFace) => boolean): FacesFound => {
    const wanted = counted.map((faces) => faces.filter(belongs));
    const missed = Float64Array.from(
      wanted,
      (faces, i) => faces.filter((face) => !matched[i]?.matched.has(face)).length,
    );
    const trials = Float64Array.from(wanted, ({ length }) => length);
    const faces = sum(trials);
    return { faces, detected: faces - sum(missed), missed: rateOfTrials(missed, trials) };
  };
  const wrong = Float64Array.from(matched, (match) => match.wrong);
  const boxes = Float64Array.from(matched, (match) => match.wrong + match.matched.size);
  return {
    version: reportVersion,
    createdAt: now.toISOString(),
    set: widerFace.set,
    system: { models, precision },
    minOverlap,
    maxFaces,
    images: images.length,
    unreadable: detections.filter((boxesOfImage) => boxesOfImage === undefined).length,
    ignored: sum(images.map(({ faces }, i) => faces.length - (counted[i]?.length ?? 0))),
    overall: facesFound(() => true),
    falseBoxes: { boxes: sum(boxes), wrong: sum(wrong), rate: rateOfTrials(wrong, boxes) },
    columns: columns.map((name, column) => {
      const groupOf = ({ groups }: AnnotatedFace) => groups[column] ?? '';
      const names = [...new Set(counted.flat().map(groupOf))].filter((group) => group !== '').sort(inOrder);
      return {
        name,
        groups: names.map((group) => ({ group, ...facesFound((face) => groupOf(face) === group) })),
      };
    }),
  };
}

const inOrder = new Intl.Collator('en-US', { numeric: true }).compare;
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);

/**
 * Gives each box, best first, the annotated face that it overlaps most and that no better box has. A box of an ignored face
 * counts neither way; other boxes without a face are wrong, a second box of a face among them.
 */
export function matchBoxes(
  faces: readonly AnnotatedFace[],
  boxes: readonly Box[],
): { readonly matched: ReadonlySet<AnnotatedFace>; readonly wrong: number } {
  const matched = new Set<AnnotatedFace>();
  let wrong = 0;
  for (const box of boxes) {
    const near = faces
      .map((face) => ({ face, shared: overlap(face.box, box) }))
      .filter(({ face, shared }) => shared >= minOverlap && !matched.has(face))
      .sort((a, b) => Number(a.face.isIgnored) - Number(b.face.isIgnored) || b.shared - a.shared);
    const [best] = near;
    if (!best) wrong += 1;
    else if (!best.face.isIgnored) matched.add(best.face);
  }
  return { matched, wrong };
}
