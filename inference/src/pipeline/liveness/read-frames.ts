/**
 * Reads the frames of a set, each on its own: decodes a few at a time, runs the models on their largest faces, and keeps only
 * the measurements. Measurements over several frames build on these.
 */
import type { Model } from '../../backends/backend';
import type { AlignmentTemplate } from '../../catalogue/manifest-parts';
import type { FrameFace, SeenFrame, UnreadableImage } from '../../wire/frames';
import { poseOf } from '../attributes/pose';
import { type Embedding, embedFaces, type FaceInImage, type MeasuredEmbedding } from '../faces/embed';
import type { Face, FaceModels } from '../faces/face';
import { findFaces } from '../faces/find-faces';
import { confirmedLargest } from '../faces/largest-face';
import { measureQuality } from '../faces/quality';
import { proportionsOf } from '../image/boxes';
import { decodeImage, type ImageLimits } from '../image/decode';
import type { DecodedImage } from '../image/decoded-image';
import { type DecodingBudget, patient } from '../image/decoding-budget';
import type { Points } from '../image/geometry';
import { ImageError } from '../image/image-error';
import { openImage } from '../image/open';
import { changeBetween } from './change';
import { fingerprintOf } from './fingerprint';
import { type Chroma, faceChroma } from './light';
import { screenScore } from './screen';
import { smearScore } from './smear';

export type FrameModels = FaceModels & { readonly embedding: Model };

/** The measurements of a frame. */
export type Reading = UnreadableImage | (Omit<SeenFrame, 'face'> & { readonly face: FaceReading | null });

export interface FaceReading {
  /** The result of the face, without comparisons to other frames. */
  readonly shown: Omit<FrameFace, 'similarity'>;
  /** The mesh in image pixels. */
  readonly points: Points;
  readonly embedding: Embedding;
  /** Against the background; undefined if none is visible. */
  readonly chroma: Chroma | undefined;
  /** Trace of a screen, 0 to 1; undefined if the face is too small to measure. */
  readonly screen: number | undefined;
  /** Undefined if the head is not turned to a side. */
  readonly smear: number | undefined;
}

/** Longer side in pixels to which frames are shrunk; video of 1280 x 720 keeps its pixels. */
const maxSide = 1280;
/**
 * A set has up to 64 frames, and a person sends hundreds. These limits admit video of 3840 x 2160 pixels, also as a
 * progressive JPEG.
 */
export const frameLimits: ImageLimits = { maxPixels: 9e6, maxScanMs: 40 };
/**
 * A face with less than this share of the largest face's height belongs to the background, like a passer-by: it is more than
 * twice as far away. The gateway's guidance reports such faces from a slightly smaller share on.
 */
const backgroundHeight = 1 / 2;
/** Frames in memory at once. */
const chunkSize = 8;

/** @returns one reading per image, in their order. */
export async function readFrames(
  models: FrameModels,
  encoded: readonly Uint8Array[],
  alignments: readonly AlignmentTemplate[],
  decoding: DecodingBudget = patient,
): Promise<Reading[]> {
  // Cameras send only formats that decode quickly.
  const readFrame = (frame: Uint8Array) => orUnreadable(decodeImage(frame, maxSide, decoding, frameLimits));
  const readings: Reading[] = [];
  let before: DecodedImage | undefined;
  for (let at = 0; at < encoded.length; at += chunkSize) {
    const decoded = await Promise.all(encoded.slice(at, at + chunkSize).map(readFrame));
    const images = decoded.filter((frame): frame is DecodedImage => !isUnreadable(frame));
    const faces = await readFaces(models, images, alignments);
    let next = 0;
    for (const frame of decoded) {
      if (isUnreadable(frame)) {
        readings.push(frame);
        continue;
      }
      const change = before ? (changeBetween(before, frame) ?? null) : null;
      readings.push({ ok: true, change, ...(faces[next++] as FacesOfFrame) });
      before = frame;
    }
  }
  return readings;
}

/** Opens an image of any supported format. */
export const readImage = (image: Uint8Array, decoding: DecodingBudget = patient) =>
  orUnreadable(openImage(image, maxSide, decoding));

/** An image that cannot be decoded is a result. */
async function orUnreadable(image: Promise<DecodedImage>): Promise<DecodedImage | UnreadableImage> {
  try {
    return await image;
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    return { ok: false, code: 'INVALID_IMAGE', reason: error.fault, values: error.values };
  }
}

export const isUnreadable = (frame: DecodedImage | UnreadableImage): frame is UnreadableImage =>
  'ok' in frame;

interface FacesOfFrame {
  readonly faceCount: number;
  readonly face: FaceReading | null;
}

async function readFaces(
  models: FrameModels,
  images: readonly DecodedImage[],
  alignments: readonly AlignmentTemplate[],
): Promise<FacesOfFrame[]> {
  const facesByImage = await findFaces(models, images, { nearOnly: true, withUnconfirmed: true });
  const largest = facesByImage.flatMap((faces, i): FaceInImage[] => {
    const face = confirmedLargest(faces);
    return face ? [{ image: images[i] as DecodedImage, face }] : [];
  });
  const embeddings = await embedFaces({ model: models.embedding, alignments }, largest);
  let next = 0;
  return facesByImage.map((faces) => {
    const faceCount = countNear(faces.filter(({ isConfirmed }) => isConfirmed));
    if (!confirmedLargest(faces)) return { faceCount, face: null };
    const i = next++;
    const faceInImage = largest[i] as FaceInImage;
    const { image, face: near } = faceInImage;
    const shown = show(faceInImage);
    const { points } = near.mesh;
    const face = {
      shown,
      points,
      embedding: (embeddings[i] as MeasuredEmbedding).embedding,
      chroma: faceChroma(image, points, near.box),
      screen: screenScore(image, near.box),
      smear: smearScore(image, points, shown.pose),
    };
    return { faceCount, face };
  });
}

/** @param faces largest first */
const countNear = (faces: readonly Face[]): number =>
  faces.filter(({ box }) => box.height >= backgroundHeight * (faces[0] as Face).box.height).length;

function show({ image, face }: FaceInImage): FaceReading['shown'] {
  const pose = poseOf(face.mesh);
  const fingerprint = fingerprintOf(image, face.mesh.points, pose);
  return {
    confidence: face.confidence,
    boundingBox: proportionsOf(face.box, image),
    pose,
    quality: measureQuality(image, face),
    ...(fingerprint && { fingerprint }),
  };
}
