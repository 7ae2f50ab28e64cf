/**
 * Finds the faces of images. One detector looks at two sizes: at the smaller for near faces, and at the larger for small ones,
 * which do not depend on the near ones. The detector recognizes faces of any roll but measures only small rolls correctly, and
 * it misplaces a face that the edge of its input cuts. So it looks closely at each large candidate of which it is not sure or
 * that is at an edge: in all turns, among black. The best score shows which side is up. Where it is sure of no face, it also
 * looks at the whole image in all turns. The mesh model confirms the candidates and gives each face the same kind of box. A
 * face of which the detector is sure needs no confirmation.
 */
import type { Model, ModelOutputs } from '../../backends/backend';
import type { Box } from '../../wire/faces';
import { areFaceShaped, type Candidate } from '../detectors/candidates';
import { decoderOf, readCandidates } from '../detectors/decoders';
import type { Decoder, MeshBox } from '../detectors/detector';
import { area, insideOf, isDouble, minDoubleArea, overlap, suppress } from '../image/boxes';
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
   * Visible area in square pixels of the face as the detector sees it. The mesh of a covered or blurred face may be far too large,
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
/**
 * The candidates of an image at which the detector looks closely, the largest. The source of a comparison is the largest
 * face, and a crowd of small faces would take as many looks.
 */
const maxCloseLooks = 4;
/** Side of the square of a close look in units of the candidate's box. */
const closeSide = 2;
/** Turns of a close look in a row and in a column of the detector's input. */
const closeColumns = 3;
/** A box nearer to an edge of the image than this share of its side may be cut by it. */
const edgeShare = 0.15;

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
/**
 * The large input decides about faces narrower than this share of an image's longer side. Of 194 portraits upside down, it was
 * sure of none with a face of up to 200 of 640 pixels; of 240 pixels, of 2.
 */
const maxSmallWidth = 0.3;
/** With more faces than this an image shows a group, which may have a back row. */
const maxPortraitFaces = 2;
/** Faces narrower than this proportion of the longer side are near the limit of the large input, so tiles follow. */
const crowdWidth = 0.05;
/** In images below this size in pixels, tiles would only enlarge existing detail. */
const minTiledSide = 900;
/**
 * An image with a longer side of more than this multiple of the shorter one is a strip, which is searched in squares of about
 * twice its height.
 */
export const minStripRatio = 3;
const maxStripSquares = 16;

const eighthTurn = Math.PI / 4;
/** A multiple of 45 degrees clockwise, above 0. */
type Turn = 1 | 2 | 3 | 4 | 5 | 6 | 7;
const allTurns: readonly Turn[] = [1, 2, 3, 4, 5, 6, 7];

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
    await search.lookClosely(near, []);
    await search.confirm(near);
    return search.results(withUnconfirmed);
  }
  const small = await search.look(
    'thorough',
    all.flatMap((index) => search.squares(index)).filter(hasDetails),
  );
  search.leaveToLargeInput(near, small);
  const turns = await search.lookClosely(near, small);
  const plain = all.filter((index) => !search.isStrip(index));
  const isDoubtful = (index: number) => search.isDoubtful(near[index], small[index]);
  const turned = await search.look(
    'near',
    plain.flatMap((index) => search.turned(index, isDoubtful(index) ? allTurns : turns[index])),
  );
  const smallAndTurned = await search.look(
    'thorough',
    plain
      .filter((index) => search.squares(index).some(hasDetails))
      .flatMap((index) => search.turned(index, turns[index])),
  );
  const both = (first: CandidatesByImage, second: CandidatesByImage) =>
    all.map((index) => [...(first[index] ?? []), ...(second[index] ?? [])]);
  await search.confirm(both(near, turned));
  await search.confirm(both(small, smallAndTurned));
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
  /** Area of its box inside the image, in square pixels. */
  readonly visibleArea: number;
}

/** A candidate that gets a close look, and the list in which it stands. */
interface Doubt {
  readonly index: number;
  readonly list: PlacedCandidate[];
  readonly candidate: PlacedCandidate;
}

/** Candidates by image; holes where nothing was looked at. */
type CandidatesByImage = (PlacedCandidate[] | undefined)[];

class Search {
  private readonly faces: Face[][];
  /** Candidates of each image that still get a mesh. */
  private readonly budgets: number[];

  constructor(
    private readonly models: FaceModels,
    private readonly images: readonly DecodedImage[],
  ) {
    this.faces = images.map(() => []);
    this.budgets = images.map(() => maxCandidates);
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

  /**
   * Whether the detector is sure of no face of an image, so that it may show a turned one. The small input decides where it
   * shows faces, because large faces upside down score higher at the large one.
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

  /** The image in some of its turns. */
  turned(index: number, turns: Iterable<Turn> = []): View[] {
    const { width, height } = this.image(index);
    const center = { x: (width - 1) / 2, y: (height - 1) / 2 };
    return [...turns].map((turn) => {
      const angle = turn * eighthTurn;
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

  /** Removes the near candidates of which only the large input is sure, which shows small faces better. */
  leaveToLargeInput(near: CandidatesByImage, small: CandidatesByImage): void {
    for (const [index, ofNear] of near.entries()) {
      const widest = maxSmallWidth * this.image(index).longestSide;
      const better = (small[index] ?? []).filter(({ isUpright, width }) => isUpright && width < widest);
      near[index] = ofNear?.filter(
        (candidate) => candidate.isUpright || !better.some((other) => isDouble(candidate, other)),
      );
    }
  }

  /**
   * Replaces the candidates of which the detector is not sure, and those that an edge may cut, by what it sees in a close look:
   * the square around a candidate in its eight turns, side by side in one input. Those that it does not see there stay.
   * @returns the turns of each image in which it saw faces; others beside them may be turned alike.
   */
  async lookClosely(near: CandidatesByImage, small: CandidatesByImage): Promise<Set<Turn>[]> {
    const turns = this.images.map(() => new Set<Turn>());
    const doubts = this.images.flatMap((_, index) => this.doubtful(index, near[index], small[index]));
    if (doubts.length === 0) return turns;
    const { near: model } = this.models;
    const size = inputSize(model);
    const pixels = batchOf(doubts, size, (doubt, into) => this.drawTurns(doubt, size, into));
    const outputs = await model.run(pixels, doubts.length);
    doubts.forEach((doubt, position) => {
      const seen = this.bestTurn(doubt, readCandidates(model.spec, outputs, position));
      if (!seen) return;
      const { index, list, candidate } = doubt;
      list[list.indexOf(candidate)] = seen.candidate;
      // The plain view shows neighbors that are tilted by 45 degrees.
      if (![0, 1, 7].includes(seen.turn)) turns[index]?.add(seen.turn as Turn);
    });
    return turns;
  }

  private doubtful(index: number, near: PlacedCandidate[] = [], small: PlacedCandidate[] = []): Doubt[] {
    const others = small.filter((box) => !near.some((other) => isDouble(box, other)));
    return [
      ...near.map((candidate) => ({ index, list: near, candidate })),
      ...others.map((candidate) => ({ index, list: small, candidate })),
    ]
      .filter(({ candidate }) => !candidate.isUpright || isAtEdge(candidate, this.image(index)))
      .sort((a, b) => area(b.candidate) - area(a.candidate))
      .slice(0, maxCloseLooks);
  }

  /** Draws the turns of a close look into an input of the detector, which is black elsewhere. */
  private drawTurns(doubt: Doubt, size: number, into: Uint8Array): void {
    const side = Math.floor(size / closeColumns);
    const square = new Uint8Array(3 * side * side);
    for (const { view, left, top } of cellsOf(doubt, size)) {
      this.image(doubt.index).sample(toImage(view, side), side, square);
      for (let row = 0; row < side; row++) {
        const line = square.subarray(3 * row * side, 3 * (row + 1) * side);
        into.set(line, 3 * ((top + row) * size + left));
      }
    }
  }

  /** The turn in which a candidate scores best, and the candidate as it is there. @param boxes of the close look */
  private bestTurn(doubt: Doubt, boxes: readonly Candidate[]) {
    const { near: model } = this.models;
    const { candidate } = doubt;
    const image = this.image(doubt.index);
    const cells = cellsOf(doubt, inputSize(model));
    const side = Math.floor(inputSize(model) / closeColumns);
    const seen = boxes.flatMap((box) => {
      const cell = cells.find(({ left, top }) => isInMiddle(box, { left, top, side }));
      if (!cell) return [];
      const inCell = movedBy(box, -cell.left, -cell.top);
      return [{ turn: cell.turn, box: placed(inCell, cell.view, side, decoderOf(model.spec), image) }];
    });
    const [best] = seen.sort((a, b) => b.box.score - a.box.score);
    if (!best) return undefined;
    const isPlaced = best.turn === 0 && !isAtEdge(candidate, image);
    return {
      turn: best.turn,
      candidate: {
        // A box of the whole view is finer than one of a close look.
        ...(isPlaced ? candidate : best.box),
        visibleArea: candidate.visibleArea,
        score: Math.max(best.box.score, candidate.score),
        isUpright: candidate.isUpright || best.box.isSure,
        isSure: candidate.isSure || best.box.isSure,
      },
    };
  }

  private square(index: number, left: number, top: number, side: number): View {
    return { index, x: left + (side - 1) / 2, y: top + (side - 1) / 2, side, angle: 0 };
  }

  /** Runs a detector over views. @returns the candidates of each image in image pixels */
  async look(detector: 'near' | 'thorough', views: readonly View[]): Promise<CandidatesByImage> {
    const candidates: PlacedCandidate[][] = [];
    if (views.length === 0) return candidates;
    const model = this.models[detector];
    const decoder = decoderOf(model.spec);
    const size = inputSize(model);
    const outputs = await this.run(model, views);
    views.forEach((view, position) => {
      const best = suppress(readCandidates(model.spec, outputs, position), maxCandidates);
      const ofView = best.map((candidate) => placed(candidate, view, size, decoder, this.image(view.index)));
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
    const regions = candidates.flatMap((ofImage = [], index) => {
      const unknown = suppress(ofImage, maxCandidates).filter((candidate) => !this.isKnown(index, candidate));
      return this.affordable(index, unknown).map((candidate) => ({
        index,
        image: this.image(index),
        candidate,
      }));
    });
    const meshes = await this.findMeshes(regions);
    regions.forEach(({ index, candidate }, i) => {
      const face = faceOf(candidate, meshes[i] as Mesh);
      if (face && !this.isOnNeighbor(index, candidate, face)) this.add(index, face);
    });
  }

  /** The candidates that still get a mesh: none once an image has as many faces as are returned. */
  private affordable(index: number, candidates: readonly PlacedCandidate[]): readonly PlacedCandidate[] {
    if (this.confirmed(index).length >= maxFaces) return [];
    const left = this.budgets[index] as number;
    const affordable = candidates.slice(0, left);
    this.budgets[index] = left - affordable.length;
    return affordable;
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

/** Whether a square has details that the small input does not show. */
const hasDetails = ({ side }: View) => side > maxNearSide;

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

/** The turns of a close look, and where each is in the detector's input. @param size of the input in pixels */
function cellsOf({ index, candidate }: Doubt, size: number) {
  const { left, top, width, height } = candidate;
  const square = {
    index,
    x: left + width / 2,
    y: top + height / 2,
    side: closeSide * Math.max(width, height),
  };
  const side = Math.floor(size / closeColumns);
  return ([0, ...allTurns] as const).map((turn, position) => ({
    turn,
    view: { ...square, angle: turn * eighthTurn },
    left: side * (position % closeColumns),
    top: side * Math.floor(position / closeColumns),
  }));
}

/** Whether the center of a box is in the middle quarter of a square. */
function isInMiddle(box: Box, { left, top, side }: { left: number; top: number; side: number }): boolean {
  const x = box.left + box.width / 2 - left - side / 2;
  const y = box.top + box.height / 2 - top - side / 2;
  return Math.max(Math.abs(x), Math.abs(y)) < side / 4;
}

const movedBy = (candidate: Candidate, dx: number, dy: number): Candidate => ({
  ...candidate,
  left: candidate.left + dx,
  top: candidate.top + dy,
  ...(candidate.points && {
    points: candidate.points.map((value, i) => value + (i % 2 === 0 ? dx : dy)),
  }),
});

/** A candidate of a view in image pixels. @param size of the view in pixels of the detector's input */
function placed(
  candidate: Candidate,
  view: View,
  size: number,
  { meshBox, uprightScore, sureScore }: Decoder,
  image: DecodedImage,
): PlacedCandidate {
  const box = place(withMeshBox(candidate, meshBox), toImage(view, size), view.angle);
  return {
    ...box,
    isUpright: candidate.score >= uprightScore,
    isSure: candidate.score >= sureScore,
    visibleArea: area(insideOf(box, image)),
  };
}

/** A face with a confirmed mesh, or one that the detector is sure of with its points; undefined if there is neither. */
function faceOf(candidate: PlacedCandidate, mesh: Mesh): Face | undefined {
  const { score, points, isSure } = candidate;
  const detected = {
    confidence: (score + mesh.presence) / 2,
    detectedArea: candidate.visibleArea,
  };
  if (mesh.presence >= minPresence) return { ...detected, box: boxOf(mesh), mesh, isConfirmed: true };
  if (!isSure || !points || !areFaceShaped(points)) return undefined;
  // The mesh of a face that the mesh model does not see may be far too large.
  const { left, top, width, height } = candidate;
  const box = { left, top, width, height };
  return { ...detected, box, mesh: movedTo(points, mesh), isConfirmed: false };
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
