/**
 * Liveness signals of an ordered set of frames: of each frame, and of several frames together. This module only measures;
 * the gateway weighs the signals against the challenges of the session.
 */
import type { AlignmentTemplate, Calibration } from '../../catalogue/manifest-parts';
import type { Challenge, FrameResult, FrameSignals, Light, ReferenceResult } from '../../wire/frames';
import { type Embedding, embedFaces } from '../faces/embed';
import { findFaces } from '../faces/find-faces';
import { confirmedLargest } from '../faces/largest-face';
import { distanceBetween, similarityOf } from '../faces/similarity';
import { type DecodingBudget, patient } from '../image/decoding-budget';
import { bestOf } from './best-frame';
import { duplicateChange } from './change';
import { measureForeshortening } from './foreshortening';
import { type LitFace, measureLight } from './light';
import { median } from './median';
import { measureMotion } from './motion';
import { measurePlanarity } from './planarity';
import {
  type FaceReading,
  type FrameModels,
  isUnreadable,
  type Reading,
  readFrames,
  readImage,
} from './read-frames';
import { measureSmear } from './smear';
import type { Sighting } from './track';

export interface FrameManifestData {
  readonly alignments: readonly AlignmentTemplate[];
  readonly calibration: Calibration;
}

/** One set of frames. */
export interface FramesItem {
  /** 2 to 64, in the order in which they were taken. */
  readonly frames: readonly Frame[];
  /** Challenges in their order. */
  readonly challenges: readonly Challenge[];
  readonly light?: Light | undefined;
  /** An encoded image of the person whom the frames should show. */
  readonly reference?: Uint8Array | undefined;
}

export interface Frame {
  /** An encoded image. */
  readonly image: Uint8Array;
  /** When it was taken or arrived, in milliseconds; never less than that of the frame before. */
  readonly timeMs: number;
}

/** Number of frames in a set. */
export const frameCount = { min: 2, max: 64 } as const;

/** A frame with a face, and its position among all. */
interface Seen extends Sighting {
  readonly position: number;
  readonly face: FaceReading;
}

/** Measures one set of frames. @throws only on breakage */
export async function measureFrames(
  models: FrameModels,
  item: FramesItem,
  manifestData: FrameManifestData,
  decoding: DecodingBudget = patient,
): Promise<FrameSignals> {
  const { frames, challenges, light, reference } = item;
  const readings = await readFrames(
    models,
    frames.map(({ image }) => image),
    manifestData.alignments,
    decoding,
  );
  const track = readings.flatMap((reading, position): Seen[] => {
    if (!reading.ok || !reading.face) return [];
    const { face } = reading;
    const timeMs = frames[position]?.timeMs as number;
    return [{ position, face, timeMs, points: face.points, pose: face.shown.pose }];
  });
  const best = track[bestOf(track.map(({ face }) => face.shown)) ?? -1];
  return {
    frames: frameResults(item, readings, { track, best, calibration: manifestData.calibration }),
    best: best?.position ?? null,
    planarity: measurePlanarity(track) ?? null,
    foreshortening: measureForeshortening(track) ?? null,
    smear: measureSmear(track.map(({ face }) => face.smear)) ?? null,
    motion: measureMotion(track, challenges),
    duplicates: readings.flatMap((reading, position) =>
      reading.ok && reading.change !== null && reading.change < duplicateChange ? [position] : [],
    ),
    screen: median(track.flatMap(({ face }) => face.screen ?? [])) ?? null,
    light: light ? (measureLight(readings.map(litFaceOf), light) ?? null) : null,
    reference:
      reference === undefined
        ? null
        : await compareReference(
            models,
            { reference, best: best && frames[best.position]?.image, decoding },
            manifestData,
          ),
  };
}

function litFaceOf(reading: Reading): LitFace | undefined {
  const face = reading.ok ? reading.face : null;
  return face?.chroma && { chroma: face.chroma, pose: face.shown.pose };
}

interface Continuity {
  readonly track: readonly Seen[];
  readonly best: Seen | undefined;
  readonly calibration: Calibration;
}

/** The readings with similarities instead of embeddings. */
function frameResults(
  { frames }: FramesItem,
  readings: readonly Reading[],
  { track, best, calibration }: Continuity,
): FrameResult[] {
  const alike = (a: Embedding, b: Embedding) => similarityOf(distanceBetween(a, b), calibration);
  let previous: FaceReading | undefined;
  let next = 0;
  return readings.map((reading, position) => {
    const timeMs = frames[position]?.timeMs as number;
    if (!reading.ok) return { timeMs, ...reading };
    if (!reading.face) return { timeMs, ...reading, face: null };
    const { face } = track[next++] as Seen;
    const similarity = {
      toBest: alike(face.embedding, (best as Seen).face.embedding),
      toPrevious: previous ? alike(face.embedding, previous.embedding) : null,
    };
    previous = face;
    return { timeMs, ...reading, face: { ...face.shown, similarity } };
  });
}

/** Compares the largest faces of two images, like any comparison. */
async function compareReference(
  models: FrameModels,
  {
    reference,
    best,
    decoding,
  }: { reference: Uint8Array; best: Uint8Array | undefined; decoding: DecodingBudget },
  { alignments, calibration }: FrameManifestData,
): Promise<ReferenceResult> {
  const image = await readImage(reference, decoding);
  if (isUnreadable(image)) return image;
  const other = best && (await readImage(best, decoding));
  const images = other && !isUnreadable(other) ? [image, other] : [image];
  const facesByImage = await findFaces(models, images, { withUnconfirmed: true });
  const faceCount = facesByImage[0]?.filter(({ isConfirmed }) => isConfirmed).length ?? 0;
  const largest = facesByImage.flatMap((faces, i) => {
    const face = confirmedLargest(faces);
    const source = images[i];
    return face && source ? [{ image: source, face }] : [];
  });
  if (largest.length < 2) return { ok: true, faceCount, similarity: null };
  const embedder = { model: models.embedding, alignments };
  const embedded = await embedFaces(embedder, largest);
  const [a, b] = embedded.map(({ embedding }) => embedding) as [Embedding, Embedding];
  return { ok: true, faceCount, similarity: similarityOf(distanceBetween(a, b), calibration) };
}
