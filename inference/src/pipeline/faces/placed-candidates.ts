/** The candidates that a detector sees in views, in image pixels. */
import type { Model, ModelOutputs } from '../../backends/backend';
import type { Box } from '../../wire/faces';
import type { Candidate } from '../detectors/candidates';
import { decoderOf, readCandidates } from '../detectors/decoders';
import type { Decoder, MeshBox } from '../detectors/detector';
import { area, insideOf, suppress } from '../image/boxes';
import { batchOf, type DecodedImage } from '../image/decoded-image';
import { type Affine, mapPoints, mapX, mapY, scaleOf } from '../image/geometry';
import { maxFaces } from './face';
import { mapToImage, type View } from './views';

/** The candidates of an image that get a mesh, those with the best scores: a bound of the work for a wall of tiny faces. */
export const maxCandidates = 2 * maxFaces;
/** A box nearer to an edge of the image than this share of its side may be cut by it. */
const edgeShare = 0.15;

/** A candidate in image pixels, with what the probabilities of its detector mean. */
export interface PlacedCandidate extends Candidate {
  /** Whether its score is high enough for its roll to be right, as far as the mesh model can correct it. */
  readonly hasReliableRoll: boolean;
  /** Whether its score is high enough for a face that the mesh model rejects. */
  readonly needsNoConfirmation: boolean;
  /** Area of its box inside the image, in square pixels. */
  readonly visibleArea: number;
}

/** Candidates by image; holes where nothing was looked at. */
export type CandidatesByImage = (PlacedCandidate[] | undefined)[];

/** Side of a detector's square input in pixels. */
export const inputSize = (model: Model) => model.spec.input.width;

/** Runs a detector over views. @returns the candidates of each image in image pixels */
export async function runDetector(
  model: Model,
  images: readonly DecodedImage[],
  views: readonly View[],
): Promise<CandidatesByImage> {
  const candidates: PlacedCandidate[][] = [];
  if (views.length === 0) return candidates;
  const decoder = decoderOf(model.spec);
  const size = inputSize(model);
  const outputs = await runViews(model, images, views);
  views.forEach((view, position) => {
    const best = suppress(readCandidates(model.spec, outputs, position), maxCandidates);
    const ofView = best.map((candidate) =>
      placed(candidate, view, size, decoder, images[view.index] as DecodedImage),
    );
    candidates[view.index] = [...(candidates[view.index] ?? []), ...ofView];
  });
  return candidates;
}

function runViews(
  model: Model,
  images: readonly DecodedImage[],
  views: readonly View[],
): Promise<ModelOutputs> {
  const size = inputSize(model);
  const pixels = batchOf(views, size, (view, into) => {
    (images[view.index] as DecodedImage).sample(mapToImage(view, size), size, into);
  });
  return model.run(pixels, views.length);
}

/** Whether an edge of the image may cut the face of a box. */
export function isAtEdge(
  { left, top, width, height }: Box,
  image: { width: number; height: number },
): boolean {
  const margin = edgeShare * Math.max(width, height);
  return (
    Math.min(left, top) < margin ||
    left + width > image.width - margin ||
    top + height > image.height - margin
  );
}

/** A candidate of a view in image pixels. @param size of the view in pixels of the detector's input */
export function placed(
  candidate: Candidate,
  view: View,
  size: number,
  { meshBox, minRollScore, minUnconfirmedScore }: Decoder,
  image: DecodedImage,
): PlacedCandidate {
  const box = place(withMeshBox(candidate, meshBox), mapToImage(view, size), view.angle);
  return {
    ...box,
    hasReliableRoll: candidate.score >= minRollScore,
    needsNoConfirmation: candidate.score >= minUnconfirmedScore,
    visibleArea: area(insideOf(box, image)),
  };
}

/** A candidate whose box is that of the mesh, as far as the detector's box says. */
function withMeshBox(candidate: Candidate, { drop, width, height }: MeshBox): Candidate {
  const down = drop * Math.max(candidate.width, candidate.height);
  const x = candidate.left + candidate.width / 2 - Math.sin(candidate.angle) * down;
  const y = candidate.top + candidate.height / 2 + Math.cos(candidate.angle) * down;
  const box = { width: width * candidate.width, height: height * candidate.height };
  return { ...candidate, ...box, left: x - box.width / 2, top: y - box.height / 2 };
}

/** A candidate in image pixels. */
function place({ points, ...candidate }: Candidate, toImage: Affine, angle: number): Candidate {
  const scale = scaleOf(toImage);
  const x = candidate.left + candidate.width / 2;
  const y = candidate.top + candidate.height / 2;
  const width = candidate.width * scale;
  const height = candidate.height * scale;
  return {
    score: candidate.score,
    left: mapX(toImage, x, y) - width / 2,
    top: mapY(toImage, x, y) - height / 2,
    width,
    height,
    angle: candidate.angle + angle,
    ...(points && { points: mapPoints(toImage, points) }),
  };
}
