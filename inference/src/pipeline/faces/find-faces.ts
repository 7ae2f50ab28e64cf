/**
 * Finds the faces of images. One detector looks at two sizes: at the smaller for near faces, and at the larger for small ones,
 * which do not depend on the near ones. The detector recognizes faces of any roll but measures only small rolls correctly.
 * Where it is sure of none, it also looks at the turned image, and the best score shows which side is up. The mesh model
 * confirms the candidates and gives each face the same kind of box. A face of which the detector is sure needs no
 * confirmation.
 */
import type { Model, ModelOutputs } from '../../backends/backend';
import type { Box } from '../../wire/faces';
import { areFaceShaped, type Candidate } from '../detectors/candidates';
import { decoderOf, readCandidates } from '../detectors/decoders';
import type { MeshBox } from '../detectors/detector';
import { area, isDouble, minDoubleArea, overlap, suppress } from '../image/boxes';
import { batchOf, type DecodedImage } from '../image/decoded-image';
import { type Affine, boundsOf, cropMap, mapPoints, mapX, mapY, scaleOf } from '../image/geometry';
import { type FaceRegion, findMeshes, type Mesh, movedTo, rollOf } from './mesh';

export interface FaceModels {
  readonly near: Model;
  readonly thorough: Model;
  readonly mesh: Model;
}

export interface Face {
  /** Mean of the detector's probability and the mesh model's, 0 to 1. */
  readonly confidence: number;
  /** Box around the mesh in image pixels, which may extend past the image. */
  readonly box: Box;
  /**
   * Area in square pixels of the face as the detector sees it. The mesh of a covered or blurred face may be far too large,
   * so this area decides which face is the largest.
   */
  readonly detectedArea: number;
  readonly mesh: Mesh;
  /**
   * Whether the mesh model sees a face, too. Otherwise the detector's points place the mesh, and anything derived from its
   * shape is less reliable.
   */
  readonly isConfirmed: boolean;
}

/** Limit of the public API. */
export const maxFaces = 100;
/** The candidates of an image that get a mesh, those with the best scores: a bound of the work for a wall of tiny faces. */
const maxCandidates = 2 * maxFaces;

/** On 2,320 portraits every labeled face scored above 0.93. */
export const minPresence = 0.85;
/** A mesh that overlaps its candidate less has moved, so it gets a second look from where it is. */
export const minSteadyOverlap = 0.7;
/**
 * A mesh that overlaps another face more than this, and by this much more than its candidate does, has moved to that face.
 */
const maxNeighborOverlap = 0.2;
const maxNeighborGain = 0.1;
/** Largest roll, in radians, for which an upright crop gives a good mesh; with a larger one the crop is taken again, turned. */
export const maxRoll = 0.25;
/** In squares up to this side in pixels, the larger input would only enlarge what the smaller one shows. */
export const maxNearSide = 320;
/** With more faces than this an image shows a group, which may have a back row. */
const maxPortraitFaces = 2;
/** Faces narrower than this proportion of the longer side are near the limit of the large input, so tiles follow. */
const crowdWidth = 0.05;
/** In images below this size in pixels, tiles would only enlarge existing detail. */
const minTiledSide = 900;
/**
 * An image with a longer side of more than this multiple of the shorter one is a strip, which is searched in squares at the
 * small input: a square shows a strip's height at half of the input's side, so the large input is not needed.
 */
export const minStripRatio = 3;
const maxStripSquares = 16;

const eighthTurn = Math.PI / 4;

/** A square of an image for a detector, independent of the size of the detector's input. */
interface View {
  /** Position of the image in its batch. */
  readonly index: number;
  /** Center and side of the square in image pixels. */
  readonly x: number;
  readonly y: number;
  readonly side: number;
  /** Rotation of the square against the image in radians. */
  readonly angle: number;
}

/** Map from pixels of an input of the given size to image pixels. */
const toImage = (view: View, size: number): Affine => cropMap(view, size);

/**
 * @param options.nearOnly looks only for near faces, as of a person in front of a camera.
 * @param options.withUnconfirmed also returns faces of which only a detector is sure. They are blurred, dark or in profile,
 *   so their embeddings are not reliable.
 * @returns the faces of each image, largest first, at most `maxFaces`.
 */
export async function findFaces(
  models: FaceModels,
  images: readonly DecodedImage[],
  { nearOnly = false, withUnconfirmed = false } = {},
): Promise<Face[][]> {
  const search = new Search(models, images);
  const all = [...images.keys()];
  const near = await search.look(
    'near',
    all.flatMap((index) => search.squares(index)),
  );
  if (nearOnly) {
    await search.confirm(near);
    return search.results(withUnconfirmed);
  }
  const plain = all.filter((index) => !search.isStrip(index));
  const detailed = plain.filter((index) => search.mayHideSmallFaces(index));
  const small = await search.look(
    'thorough',
    detailed.flatMap((index) => search.squares(index)),
  );
  const doubtful = plain.filter((index) => search.isDoubtful(near[index], small[index]));
  const turned = await search.look(
    'near',
    doubtful.flatMap((index) => search.turned(index)),
  );
  await search.confirm(all.map((index) => [...(near[index] ?? []), ...(turned[index] ?? [])]));
  await search.confirm(small);
  const crowds = plain.filter((index) => search.isCrowd(index));
  const tiled = await search.look(
    'thorough',
    crowds.flatMap((index) => search.tiles(index)),
  );
  await search.confirm(tiled);
  return search.results(withUnconfirmed);
}

/** A candidate in image pixels, with what the probabilities of its detector mean. */
interface PlacedCandidate extends Candidate {
  /** Whether its roll is right as far as the mesh model can correct it. */
  readonly isUpright: boolean;
  /** Whether it needs no confirmation by the mesh model. */
  readonly isSure: boolean;
}

/** Candidates by image; holes where nothing was looked at. */
type CandidatesByImage = readonly (readonly PlacedCandidate[] | undefined)[];

class Search {
  private readonly faces: Face[][];

  constructor(
    private readonly models: FaceModels,
    private readonly images: readonly DecodedImage[],
  ) {
    this.faces = images.map(() => []);
  }

  /** The faces of each image, largest first. */
  results(withUnconfirmed: boolean): Face[][] {
    return this.faces.map((faces) =>
      faces
        .filter(({ isConfirmed }) => withUnconfirmed || isConfirmed)
        .sort((a, b) => b.detectedArea - a.detectedArea)
        .slice(0, maxFaces),
    );
  }

  private image(index: number): DecodedImage {
    return this.images[index] as DecodedImage;
  }

  private confirmed(index: number): Face[] {
    return (this.faces[index] as Face[]).filter(({ isConfirmed }) => isConfirmed);
  }

  isStrip(index: number): boolean {
    const { width, height, longestSide } = this.image(index);
    return longestSide > minStripRatio * Math.min(width, height);
  }

  /** Whether an image has details that the small input does not show. */
  mayHideSmallFaces(index: number): boolean {
    return this.image(index).longestSide > maxNearSide;
  }

  /**
   * Whether the detector is sure of no face of an image, so that it may show a turned one. The small input decides about
   * near faces, because faces upside down score higher at the large one.
   */
  isDoubtful(near: readonly PlacedCandidate[] = [], small: readonly PlacedCandidate[] = []): boolean {
    return !(near.length > 0 ? near : small).some(({ isUpright }) => isUpright);
  }

  isCrowd(index: number): boolean {
    const { longestSide } = this.image(index);
    const widths = this.confirmed(index).map(({ box }) => box.width / longestSide);
    return (
      longestSide >= minTiledSide &&
      widths.length > maxPortraitFaces &&
      widths.some((width) => width < crowdWidth)
    );
  }

  /**
   * The whole image in the top left of a square. An image of extreme shape is a strip of squares instead, which overlap
   * so far that no face is cut in all of them.
   */
  squares(index: number): View[] {
    const { width, height, longestSide } = this.image(index);
    if (!this.isStrip(index)) return [this.square(index, 0, 0, longestSide)];
    const side = Math.max(2 * Math.min(width, height), (2 * longestSide) / (maxStripSquares + 1));
    const count = Math.min(maxStripSquares, Math.ceil((2 * longestSide) / side) - 1);
    return spread(longestSide - side, count).map((start) =>
      width > height ? this.square(index, start, 0, side) : this.square(index, 0, start, side),
    );
  }

  /** The image turned by seven multiples of 45 degrees. */
  turned(index: number): View[] {
    const { width, height } = this.image(index);
    const center = { x: (width - 1) / 2, y: (height - 1) / 2 };
    return [1, 2, 3, 4, 5, 6, 7].map((eighths) => {
      const angle = eighths * eighthTurn;
      const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
      const side = Math.max(width * cos + height * sin, width * sin + height * cos);
      return { index, ...center, side, angle };
    });
  }

  /** Squares of half the longer side that overlap, so that no face is cut in all of them. */
  tiles(index: number): View[] {
    const { width, height, longestSide } = this.image(index);
    const side = longestSide / 2;
    const starts = (length: number) =>
      spread(length - side, Math.max(1, Math.ceil((length / side - 1) / 0.75) + 1));
    return starts(height).flatMap((top) => starts(width).map((left) => this.square(index, left, top, side)));
  }

  private square(index: number, left: number, top: number, side: number): View {
    return { index, x: left + (side - 1) / 2, y: top + (side - 1) / 2, side, angle: 0 };
  }

  /** Runs a detector over views. @returns the candidates of each image in image pixels */
  async look(detector: 'near' | 'thorough', views: readonly View[]): Promise<CandidatesByImage> {
    const candidates: PlacedCandidate[][] = [];
    if (views.length === 0) return candidates;
    const model = this.models[detector];
    const { meshBox, uprightScore, sureScore } = decoderOf(model.spec);
    const size = inputSize(model);
    const outputs = await this.run(model, views);
    views.forEach((view, position) => {
      const best = suppress(readCandidates(model.spec, outputs, position), maxCandidates);
      const ofView = best.map((candidate) => ({
        ...place(withMeshBox(candidate, meshBox), toImage(view, size), view.angle),
        isUpright: candidate.score >= uprightScore,
        isSure: candidate.score >= sureScore,
      }));
      candidates[view.index] = [...(candidates[view.index] ?? []), ...ofView];
    });
    return candidates;
  }

  private run(model: Model, views: readonly View[]): Promise<ModelOutputs> {
    const size = inputSize(model);
    const pixels = batchOf(views, size, (view, into) => {
      this.image(view.index).sample(toImage(view, size), size, into);
    });
    return model.run(pixels, views.length);
  }

  /** Adds the faces that the mesh model sees in candidates, and those of which the detector is sure. */
  async confirm(candidates: CandidatesByImage): Promise<void> {
    const regions = candidates.flatMap((ofImage = [], index) =>
      suppress(ofImage, maxCandidates)
        .filter((candidate) => !this.isKnown(index, candidate))
        .map((candidate) => ({ index, image: this.image(index), candidate })),
    );
    const meshes = await this.findMeshes(regions);
    regions.forEach(({ index, candidate }, i) => {
      const face = faceOf(candidate, meshes[i] as Mesh);
      if (face && !this.isOnNeighbor(index, candidate, face)) this.add(index, face);
    });
  }

  /** Whether the mesh of a candidate beside another face has moved onto that face. */
  private isOnNeighbor(index: number, candidate: Candidate, face: Face): boolean {
    return this.confirmed(index).some((other) => {
      const shared = overlap(other.box, face.box);
      return shared > maxNeighborOverlap && shared > overlap(other.box, candidate) + maxNeighborGain;
    });
  }

  /** Adds a face, or replaces the same face where this one is better. */
  private add(index: number, face: Face): void {
    const faces = this.faces[index] as Face[];
    const twin = faces.findIndex((other) => isDouble(other.box, face.box));
    if (twin < 0) faces.push(face);
    else if (isBetter(face, faces[twin] as Face)) faces[twin] = face;
  }

  /**
   * Meshes of regions. A tilted face, a mesh that moved away from its candidate, and a candidate that is not confirmed get a
   * second look at the mesh's place and angle.
   */
  private async findMeshes(regions: readonly FaceRegion[]): Promise<Mesh[]> {
    const meshes = await findMeshes(this.models.mesh, regions);
    const again = regions.flatMap((region, i) => {
      const mesh = meshes[i] as Mesh;
      const angle = rollOf(mesh.points);
      const turn = angle - region.candidate.angle;
      const isUpright = Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) <= maxRoll;
      const box = boxOf(mesh);
      const isSteady = overlap(region.candidate, box) >= minSteadyOverlap;
      if (mesh.presence >= minPresence && isUpright && isSteady) return [];
      return [{ i, region: { ...region, candidate: { ...region.candidate, ...box, angle } } }];
    });
    const second = await findMeshes(
      this.models.mesh,
      again.map(({ region }) => region),
    );
    again.forEach(({ i }, k) => {
      const mesh = second[k] as Mesh;
      if (mesh.presence >= minPresence) meshes[i] = mesh;
    });
    return meshes;
  }

  /** Whether a candidate is in the middle of a confirmed face, and not far smaller than it, as a card before a face is. */
  private isKnown(index: number, candidate: Candidate): boolean {
    const x = candidate.left + candidate.width / 2;
    const y = candidate.top + candidate.height / 2;
    return this.confirmed(index).some(
      ({ box }) =>
        area(candidate) > minDoubleArea * area(box) &&
        x > box.left &&
        x < box.left + box.width &&
        y > box.top &&
        y < box.top + box.height,
    );
  }
}

/** `count` numbers from 0 to `last`, evenly spaced; 0 alone for one. */
const spread = (last: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => (count === 1 ? 0 : (i * last) / (count - 1)));

const inputSize = (model: Model) => model.spec.input.width;

/** A face with a confirmed mesh, or one that the detector is sure of with its points; undefined if there is neither. */
function faceOf(candidate: PlacedCandidate, mesh: Mesh): Face | undefined {
  const { score, points, isSure } = candidate;
  const detected = { confidence: (score + mesh.presence) / 2, detectedArea: area(candidate) };
  if (mesh.presence >= minPresence) return { ...detected, box: boxOf(mesh), mesh, isConfirmed: true };
  if (!isSure || !points || !areFaceShaped(points)) return undefined;
  const moved = movedTo(points, mesh);
  return { ...detected, box: boxOf(moved), mesh: moved, isConfirmed: false };
}

const isBetter = (face: Face, other: Face) =>
  face.isConfirmed === other.isConfirmed ? face.confidence > other.confidence : face.isConfirmed;

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

export function boxOf({ points }: Pick<Mesh, 'points'>): Box {
  const { left, top, right, bottom } = boundsOf(points);
  return { left, top, width: right - left, height: bottom - top };
}
