/** The faces that the mesh model confirms among candidates, and those whose score needs no confirmation. */
import type { Model } from '../../backends/backend';
import { areFaceShaped, type Candidate } from '../detectors/candidates';
import { area, isDouble, minDoubleArea, overlap, suppress } from '../image/boxes';
import type { DecodedImage } from '../image/decoded-image';
import { boxOf, type Face, maxFaces, minPresence } from './face';
import { type FaceRegion, findMeshes, type Mesh, movedTo, rollOfMesh } from './mesh';
import { type CandidatesByImage, maxCandidates, type PlacedCandidate } from './placed-candidates';

/** A mesh that overlaps its candidate less has moved, so it gets a second look from where it is. */
export const minSteadyOverlap = 0.7;
/**
 * A mesh that overlaps another face more than this, and by this much more than its candidate does, has moved to that face.
 */
const maxNeighborOverlap = 0.2;
const maxNeighborGain = 0.1;
/** Largest roll, in radians, for which an upright crop gives a good mesh; with a larger one the crop is taken again, turned. */
export const maxRoll = 0.25;

export class FaceCollection {
  private readonly faces: Face[][];
  /** Candidates of each image that still get a mesh. */
  private readonly budgets: number[];

  constructor(
    private readonly meshModel: Model,
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

  /** The confirmed faces of an image so far. */
  confirmed(index: number): Face[] {
    return (this.faces[index] as Face[]).filter(({ isConfirmed }) => isConfirmed);
  }

  /** Adds the faces that the mesh model sees in candidates, and those that need no confirmation. */
  async confirm(candidates: CandidatesByImage): Promise<void> {
    const regions = candidates.flatMap((ofImage = [], index) => {
      const unknown = suppress(ofImage, maxCandidates).filter((candidate) => !this.isKnown(index, candidate));
      return this.affordable(index, unknown).map((candidate) => ({
        index,
        image: this.images[index] as DecodedImage,
        candidate,
      }));
    });
    const meshes = await this.findSteadyMeshes(regions);
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
  private async findSteadyMeshes(regions: readonly FaceRegion[]): Promise<Mesh[]> {
    const meshes = await findMeshes(this.meshModel, regions);
    const again = regions.flatMap((region, i) => {
      const mesh = meshes[i] as Mesh;
      const angle = rollOfMesh(mesh.points);
      const turn = angle - region.candidate.angle;
      const isAligned = Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) <= maxRoll;
      const box = boxOf(mesh);
      const isSteady = overlap(region.candidate, box) >= minSteadyOverlap;
      if (mesh.presence >= minPresence && isAligned && isSteady) return [];
      return [{ i, region: { ...region, candidate: { ...region.candidate, ...box, angle } } }];
    });
    const second = await findMeshes(
      this.meshModel,
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

/** A face with a confirmed mesh, or one that needs no confirmation and has points of a face; undefined if there is neither. */
function faceOf(candidate: PlacedCandidate, mesh: Mesh): Face | undefined {
  const { score, points, needsNoConfirmation } = candidate;
  const detected = {
    confidence: (score + mesh.presence) / 2,
    detectedArea: candidate.visibleArea,
  };
  if (mesh.presence >= minPresence) return { ...detected, box: boxOf(mesh), mesh, isConfirmed: true };
  if (!needsNoConfirmation || !points || !areFaceShaped(points)) return undefined;
  // The mesh of a face that the mesh model does not see may be far too large.
  const { left, top, width, height } = candidate;
  const box = { left, top, width, height };
  return { ...detected, box, mesh: movedTo(points, mesh), isConfirmed: false };
}

const isBetter = (face: Face, other: Face) =>
  face.isConfirmed === other.isConfirmed ? face.confidence > other.confidence : face.isConfirmed;
