/** Reads each frame by itself. Cameras send formats that decode quickly. Decodes a few frames at a time, runs the models on them and keeps only measurements. */
import type { Model } from '../../backends/backend';
import type { AlignmentTemplate } from '../../catalogue/knowledge';
import type { FrameFace, PassiveScores, SeenFrame, UnreadableImage } from '../../wire/frames';
import { poseOf } from '../attributes/pose';
import { type Embedding, embedFaces, type FaceInImage, type MeasuredEmbedding } from '../faces/embed';
import { type Face, type FaceModels, findFaces } from '../faces/find-faces';
import { confirmedLargest } from '../faces/largest-face';
import { measureQuality } from '../faces/quality';
import { proportionsOf } from '../image/boxes';
import { decodeImage, type ImageLimits } from '../image/decode';
import type { DecodedImage } from '../image/decoded-image';
import { type Decoding, patient } from '../image/decoding';
import type { Points } from '../image/geometry';
import { ImageError } from '../image/image-error';
import { openImage } from '../image/open';
import { changeBetween } from './change';
import { eyeOpenness } from './eyes';
import { centerOf, landmarkGroups } from './landmarks';
import { type Chroma, faceChroma } from './light';
import { type PassiveModels, scorePassively } from './passive';
import { screenScore } from './screen';
import { smearScore } from './smear';

export type FrameModels = FaceModels & PassiveModels & { readonly embedding: Model };

/** The measurements of a frame. */
export type Reading = UnreadableImage | (Omit<SeenFrame, 'face'> & { readonly face: FaceReading | null });

export interface FaceReading {
  /** The result of the face, without comparisons to other frames. */
  readonly shown: Omit<FrameFace, 'similarity'>;
  /** The mesh in image pixels. */
  readonly points: Points;
  readonly embedding: Embedding;
  /** Against the background; undefined where none is visible. */
  readonly chroma: Chroma | undefined;
  /** Undefined where the head is not turned to a side. */
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
 * A face with less than this share of the largest face's height belongs to the background, like a passer-by. The gateway's
 * guidance reports such faces from a slightly smaller share on.
 */
const backgroundHeight = 1 / 3;
/** Frames in memory at once. */
const chunkSize = 8;

/** @returns one reading per image, in their order. */
export async function readFrames(
  models: FrameModels,
  encoded: readonly Uint8Array[],
  alignments: readonly AlignmentTemplate[],
  decoding: Decoding = patient,
): Promise<Reading[]> {
  const readFrame = (frame: Uint8Array) => orUnreadable(decodeImage(frame, maxSide, decoding, frameLimits));
  const readings: Reading[] = [];
  let before: DecodedImage | undefined;
  for (let at = 0; at < encoded.length; at += chunkSize) {
    const decoded = await Promise.all(encoded.slice(at, at + chunkSize).map(readFrame));
    const images = decoded.filter((one): one is DecodedImage => !isUnreadable(one));
    const faces = await readFaces(models, images, alignments);
    let next = 0;
    for (const one of decoded) {
      if (isUnreadable(one)) {
        readings.push(one);
        continue;
      }
      const change = before ? (changeBetween(before, one) ?? null) : null;
      readings.push({ ok: true, change, ...(faces[next++] as FacesOfFrame) });
      before = one;
    }
  }
  return readings;
}

/** Opens an image of any supported format. */
export const readImage = (image: Uint8Array, decoding: Decoding = patient) =>
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

export const isUnreadable = (one: DecodedImage | UnreadableImage): one is UnreadableImage => 'ok' in one;

interface FacesOfFrame {
  readonly faceCount: number;
  readonly face: FaceReading | null;
}

async function readFaces(
  models: FrameModels,
  images: readonly DecodedImage[],
  alignments: readonly AlignmentTemplate[],
): Promise<FacesOfFrame[]> {
  const found = await findFaces(models, images, { nearOnly: true, withUnconfirmed: true });
  const largest = found.flatMap((faces, i): FaceInImage[] => {
    const face = confirmedLargest(faces);
    return face ? [{ image: images[i] as DecodedImage, face }] : [];
  });
  const passive = await scorePassively(models, largest);
  const embeddings = await embedFaces({ model: models.embedding, alignments }, largest);
  let next = 0;
  return found.map((faces) => {
    const faceCount = countNear(faces.filter(({ isConfirmed }) => isConfirmed));
    if (!confirmedLargest(faces)) return { faceCount, face: null };
    const i = next++;
    const one = largest[i] as FaceInImage;
    const shown = show(one, passive[i] as PassiveScores);
    const { points } = one.face.mesh;
    const face = {
      shown,
      points,
      embedding: (embeddings[i] as MeasuredEmbedding).embedding,
      chroma: faceChroma(one.image, points, one.face.box),
      smear: smearScore(one.image, points, shown.pose),
    };
    return { faceCount, face };
  });
}

/** @param faces largest first */
const countNear = (faces: readonly Face[]): number =>
  faces.filter(({ box }) => box.height >= backgroundHeight * (faces[0] as Face).box.height).length;

function show({ image, face }: FaceInImage, passive: PassiveScores): FaceReading['shown'] {
  const { width, height } = image;
  const { points } = face.mesh;
  const landmarks = Object.entries(landmarkGroups).map(([name, indices]) => {
    const [x, y] = centerOf(points, indices);
    // A pixel's center is half a pixel from its edge.
    return [name, [(x + 0.5) / width, (y + 0.5) / height]] as const;
  });
  return {
    confidence: face.confidence,
    boundingBox: proportionsOf(face.box, image),
    landmarks: Object.fromEntries(landmarks) as unknown as FrameFace['landmarks'],
    pose: poseOf(face.mesh),
    eyes: eyeOpenness(points),
    quality: measureQuality(image, face),
    passive,
    screen: screenScore(image, face.box) ?? null,
  };
}
