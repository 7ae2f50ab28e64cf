/**
 * Finds the faces of images. Near faces take a fast path, one run of a small detector; groups, small faces and images
 * that seem empty take the thorough one. The choice depends on the image, not on the client. The mesh model confirms
 * the candidates of either detector and gives each face the same kind of box; a detector that is sure of a face needs no
 * confirmation.
 */
import type { Model, ModelOutputs } from '../../backends/backend';
import type { Box } from '../../wire/faces';
import { areFaceShaped, type Candidate } from '../detectors/candidates';
import { decoderOf, decodingOf, readCandidates } from '../detectors/decoders';
import type { MeshBox } from '../detectors/detector';
import { overlap, suppress } from '../image/boxes';
import { batchOf, type DecodedImage } from '../image/decoded-image';
import { type Affine, boundsOf, mapPoints, mapX, mapY, scaleOf } from '../image/geometry';
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
  readonly mesh: Mesh;
  /**
   * Whether the mesh model sees a face, too. Otherwise the detector's points place the mesh, and anything derived from its
   * shape is less reliable.
   */
  readonly isConfirmed: boolean;
}

/** Limit of the public API. */
export const maxFaces = 100;

/** Score from which a candidate that the mesh model rejects gets a second look. */
const minSecondLookScore = 0.6;
/**
 * On 2,320 portraits every labeled face scored above 0.93, and 26 false candidates of the near detector below 0.8.
 */
export const minPresence = 0.85;
/** A mesh that overlaps its candidate less has moved, so it gets a second look from where it is: 5 % of the faces of crowds. */
export const minSteadyOverlap = 0.7;
/** A candidate with a lower score is a face only if its mesh stays on it. */
const minWanderingScore = 0.5;
const minWeakOverlap = 0.6;
/**
 * A mesh that overlaps another face more than this, and by this much more than its candidate does, has moved to that face.
 * With these four limits, mosaics of LFW with 4,624 labeled people show 40 boxes off a face instead of 67, and no fewer of
 * these people.
 */
const maxNeighborOverlap = 0.2;
const maxNeighborGain = 0.1;
/** Boxes of one face overlap more than this, boxes of adjacent faces less. */
export const maxOverlap = 0.4;
/** Least width of a near face (selfie, document, portrait) as a proportion of the longer side. */
export const nearWidth = 0.12;
/** With more faces than this an image shows a group, which may have a back row. */
const maxNearFaces = 2;
/** Largest roll, in radians, for which an upright crop gives a good mesh; with a larger one the crop is taken again, turned. */
export const maxRoll = 0.25;
/** Faces narrower than this proportion of the longer side are near the thorough detector's limit, so tiles follow. */
const crowdWidth = 0.05;
/** In images below this size in pixels, tiles would only enlarge existing detail. */
const minTiledSide = 900;

/** Cosine and sine of quarter turns. */
const quarterTurns = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** A square of an image for a detector, independent of the size of the detector's input. */
interface View {
  /** Position of the image in its batch. */
  readonly index: number;
  /** Map from pixels of an input of the given size to image pixels. */
  readonly toImage: (size: number) => Affine;
  /** Rotation of the square against the image in radians. */
  readonly angle: number;
}

/**
 * @param options.nearOnly looks only for near, upright faces, as of a person in front of a camera; an image without any
 *   then takes a fifth of the time.
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
  const all = images.map((_, index) => index);
  await search.look(
    'near',
    all.map((index) => search.whole(index)),
  );
  if (!nearOnly) {
    await search.look(
      'thorough',
      all.filter((index) => search.mayHideFaces(index)).map((index) => search.whole(index)),
    );
    await search.look(
      'thorough',
      all.filter((index) => search.isCrowd(index)).flatMap((index) => search.tiles(index)),
    );
  }
  const empty = () => all.filter((index) => search.confirmed(index).length === 0);
  await search.look(
    'near',
    empty().map((index) => search.padded(index)),
  );
  if (!nearOnly) {
    await search.look(
      'near',
      empty().flatMap((index) => search.turned(index)),
    );
  }
  return all.map((index) => {
    const faces = withUnconfirmed ? (search.faces[index] as Face[]) : search.confirmed(index);
    return faces.sort((a, b) => areaOf(b) - areaOf(a)).slice(0, maxFaces);
  });
}

const areaOf = ({ box }: Face) => box.width * box.height;

class Search {
  readonly faces: Face[][];

  constructor(
    private readonly models: FaceModels,
    private readonly images: readonly DecodedImage[],
  ) {
    this.faces = images.map(() => []);
  }

  private image(index: number): DecodedImage {
    return this.images[index] as DecodedImage;
  }

  confirmed(index: number): Face[] {
    return (this.faces[index] as Face[]).filter(({ isConfirmed }) => isConfirmed);
  }

  private widths(index: number): number[] {
    return this.confirmed(index).map(({ box }) => box.width / this.image(index).longestSide);
  }

  /** Whether the image may show faces too small for the near detector. */
  mayHideFaces(index: number): boolean {
    const widths = this.widths(index);
    return widths.length === 0 || widths.length > maxNearFaces || Math.min(...widths) < nearWidth;
  }

  isCrowd(index: number): boolean {
    const widths = this.widths(index);
    return (
      this.image(index).longestSide >= minTiledSide &&
      widths.length > maxNearFaces &&
      widths.some((width) => width < crowdWidth)
    );
  }

  /** The whole image in the top left of the square. */
  whole(index: number): View {
    return this.square(index, 0, 0, this.image(index).longestSide);
  }

  /** The image at half size in the middle of the square: a face that fills it becomes small enough for a detector. */
  padded(index: number): View {
    const { width, height, longestSide } = this.image(index);
    const side = 2 * longestSide;
    return this.square(index, (width - side) / 2, (height - side) / 2, side);
  }

  /** The image turned by 90, 180 and 270 degrees. */
  turned(index: number): View[] {
    const { width, height, longestSide } = this.image(index);
    return [1, 2, 3].map((quarters) => {
      const [cos, sin] = quarterTurns[quarters] as readonly [number, number];
      const toImage = (size: number): Affine => {
        const scale = longestSide / size;
        const half = (size - 1) / 2;
        // Both squares have the same center.
        const x = (width - 1) / 2 - scale * (cos - sin) * half;
        const y = (height - 1) / 2 - scale * (sin + cos) * half;
        return [scale * cos, -scale * sin, x, scale * sin, scale * cos, y];
      };
      return { index, toImage, angle: (quarters * Math.PI) / 2 };
    });
  }

  /** Squares of half the longer side that overlap, so that no face is cut in all of them. */
  tiles(index: number): View[] {
    const { width, height, longestSide } = this.image(index);
    const side = longestSide / 2;
    const starts = (length: number) => {
      const count = Math.max(1, Math.ceil((length / side - 1) / 0.75) + 1);
      return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : (i * (length - side)) / (count - 1)));
    };
    return starts(height).flatMap((top) => starts(width).map((left) => this.square(index, left, top, side)));
  }

  private square(index: number, left: number, top: number, side: number): View {
    const toImage = (size: number): Affine => {
      const scale = side / size;
      const shift = (scale - 1) / 2;
      return [scale, 0, left + shift, 0, scale, top + shift];
    };
    return { index, toImage, angle: 0 };
  }

  /** Runs a detector over views and keeps the candidates that the mesh model confirms. */
  async look(detector: 'near' | 'thorough', views: readonly View[]): Promise<void> {
    if (views.length === 0) return;
    const model = this.models[detector];
    const size = inputSize(model);
    const { minScore, minSmallScore = minScore } = decodingOf(model.spec);
    const outputs = await this.run(model, views);
    const isLikely = ({ width, score }: Candidate) => width >= nearWidth * size || score >= minSmallScore;
    const { meshBox, sureScore = Infinity } = decoderOf(model.spec);
    const perImage = new Map<number, Candidate[]>();
    views.forEach((view, position) => {
      const likely = readCandidates(model.spec, outputs, position).filter(isLikely);
      const found = suppress(likely, maxOverlap).map((candidate) =>
        place(withMeshBox(candidate, meshBox), view.toImage(size), view.angle),
      );
      perImage.set(view.index, [...(perImage.get(view.index) ?? []), ...found]);
    });
    await this.confirm(perImage, sureScore);
  }

  private run(model: Model, views: readonly View[]): Promise<ModelOutputs> {
    const size = inputSize(model);
    const pixels = batchOf(views, size, ({ index, toImage }, into) => {
      this.image(index).sample(toImage(size), size, into);
    });
    return model.run(pixels, views.length);
  }

  private async confirm(perImage: ReadonlyMap<number, Candidate[]>, sureScore: number): Promise<void> {
    const regions = [...perImage].flatMap(([index, candidates]) =>
      suppress(candidates, maxOverlap)
        .filter((candidate) => !this.isKnown(index, candidate))
        .map((candidate) => ({ index, image: this.image(index), candidate })),
    );
    const meshes = await this.findMeshes(regions);
    regions.forEach(({ index, candidate }, i) => {
      const face = faceOf(candidate, meshes[i] as Mesh, sureScore);
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
    const twin = faces.findIndex((other) => overlap(other.box, face.box) > maxOverlap);
    if (twin < 0) faces.push(face);
    else if (isBetter(face, faces[twin] as Face)) faces[twin] = face;
  }

  /**
   * Meshes of regions. A tilted face, a mesh that moved away from its candidate, and a likely candidate that is not confirmed
   * get a second look at the mesh's place and angle.
   */
  private async findMeshes(regions: readonly FaceRegion[]): Promise<Mesh[]> {
    const meshes = await findMeshes(this.models.mesh, regions);
    const again = regions.flatMap((region, i) => {
      const mesh = meshes[i] as Mesh;
      const confirmed = mesh.presence >= minPresence;
      const angle = rollOf(mesh.points);
      const turn = angle - region.candidate.angle;
      const tilted = Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) > maxRoll;
      const box = boxOf(mesh);
      const moved = overlap(region.candidate, box) < minSteadyOverlap;
      if (confirmed ? !tilted && !moved : region.candidate.score < minSecondLookScore) return [];
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

  private isKnown(index: number, candidate: Candidate): boolean {
    const x = candidate.left + candidate.width / 2;
    const y = candidate.top + candidate.height / 2;
    return this.confirmed(index).some(
      ({ box }) => x > box.left && x < box.left + box.width && y > box.top && y < box.top + box.height,
    );
  }
}

const inputSize = (model: Model) => model.spec.input.width;

/** A face with a confirmed mesh, or one that the detector is sure of with its points; undefined if there is neither. */
function faceOf(candidate: Candidate, mesh: Mesh, sureScore: number): Face | undefined {
  const { score, points } = candidate;
  const confidence = (score + mesh.presence) / 2;
  if (mesh.presence >= minPresence) {
    const box = boxOf(mesh);
    const isElsewhere = score < minWanderingScore && overlap(candidate, box) < minWeakOverlap;
    return isElsewhere ? undefined : { confidence, box, mesh, isConfirmed: true };
  }
  if (score < sureScore || !points || !areFaceShaped(points)) return undefined;
  const moved = movedTo(points, mesh);
  return { confidence, box: boxOf(moved), mesh: moved, isConfirmed: false };
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
