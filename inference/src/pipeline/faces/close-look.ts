/**
 * A close look at candidates. A detector recognizes faces of any roll but measures only small rolls correctly, and it misplaces
 * a face that the edge of its input cuts. In a close look it sees the square around a candidate in all eight turns, drawn side
 * by side on black. The best score shows which side is up.
 */
import type { Model } from '../../backends/backend';
import type { Box } from '../../wire/faces';
import type { Candidate } from '../detectors/candidates';
import { decoderOf, readCandidates } from '../detectors/decoders';
import { area, isDouble } from '../image/boxes';
import { batchOf, type DecodedImage } from '../image/decoded-image';
import {
  type CandidatesByImage,
  inputSize,
  isAtEdge,
  type PlacedCandidate,
  placed,
} from './placed-candidates';
import { allTurns, eighthTurn, mapToImage, type Turn } from './views';

/**
 * The candidates of an image at which the detector looks closely, the largest. The source of a comparison is the largest
 * face, and a crowd of small faces would take as many looks.
 */
const maxCloseLooks = 4;
/** Side of the square of a close look in units of the candidate's box. */
const closeSide = 2;
/** Turns of a close look in a row and in a column of the detector's input. */
const closeColumns = 3;

/** A close look: its candidate, and the list that holds the candidate. */
interface CloseLook {
  readonly index: number;
  readonly image: DecodedImage;
  readonly list: PlacedCandidate[];
  readonly candidate: PlacedCandidate;
}

/**
 * Replaces the candidates without a reliable roll, and those that an edge may cut, by what the detector sees in a close look.
 * Those that it does not see there stay.
 * @returns the turns of each image in which it saw faces; others beside them may be turned alike.
 */
export async function lookClosely(
  model: Model,
  images: readonly DecodedImage[],
  near: CandidatesByImage,
  thorough: CandidatesByImage,
): Promise<Set<Turn>[]> {
  const turns = images.map(() => new Set<Turn>());
  const closeLooks = images.flatMap((image, index) =>
    candidatesForCloseLook(index, image, near[index], thorough[index]),
  );
  if (closeLooks.length === 0) return turns;
  const size = inputSize(model);
  const pixels = batchOf(closeLooks, size, (closeLook, into) => drawTurns(closeLook, size, into));
  const outputs = await model.run(pixels, closeLooks.length);
  closeLooks.forEach((closeLook, position) => {
    const seen = bestTurn(model, closeLook, readCandidates(model.spec, outputs, position));
    if (!seen) return;
    const { index, list, candidate } = closeLook;
    list[list.indexOf(candidate)] = seen.candidate;
    // The plain view shows neighbors that are tilted by 45 degrees.
    if (![0, 1, 7].includes(seen.turn)) turns[index]?.add(seen.turn as Turn);
  });
  return turns;
}

/** The largest candidates that need a close look. */
function candidatesForCloseLook(
  index: number,
  image: DecodedImage,
  near: PlacedCandidate[] = [],
  thorough: PlacedCandidate[] = [],
): CloseLook[] {
  const others = thorough.filter((box) => !near.some((other) => isDouble(box, other)));
  return [
    ...near.map((candidate) => ({ index, image, list: near, candidate })),
    ...others.map((candidate) => ({ index, image, list: thorough, candidate })),
  ]
    .filter(({ candidate }) => !candidate.hasReliableRoll || isAtEdge(candidate, image))
    .sort((a, b) => area(b.candidate) - area(a.candidate))
    .slice(0, maxCloseLooks);
}

/** Draws the turns of a close look into an input of the detector, which is black elsewhere. */
function drawTurns(closeLook: CloseLook, size: number, into: Uint8Array): void {
  const side = Math.floor(size / closeColumns);
  const square = new Uint8Array(3 * side * side);
  for (const { view, left, top } of cellsOf(closeLook, size)) {
    closeLook.image.sample(mapToImage(view, side), side, square);
    for (let row = 0; row < side; row++) {
      const line = square.subarray(3 * row * side, 3 * (row + 1) * side);
      into.set(line, 3 * ((top + row) * size + left));
    }
  }
}

/** The turn in which a candidate scores best, and the candidate as it is there. @param boxes of the close look */
function bestTurn(model: Model, closeLook: CloseLook, boxes: readonly Candidate[]) {
  const { candidate, image } = closeLook;
  const cells = cellsOf(closeLook, inputSize(model));
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
      hasReliableRoll: candidate.hasReliableRoll || best.box.needsNoConfirmation,
      needsNoConfirmation: candidate.needsNoConfirmation || best.box.needsNoConfirmation,
    },
  };
}

/** The turns of a close look, and where each is in the detector's input. @param size of the input in pixels */
function cellsOf({ index, candidate }: CloseLook, size: number) {
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
