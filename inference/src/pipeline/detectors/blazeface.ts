/**
 * BlazeFace's outputs. For any size of its square input, a 16 x 16 grid has two anchors per cell and an 8 x 8 grid six, each
 * with a logit, a box and six points as offsets from the cell's center in pixels of the input.
 * Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", 2019.
 */
import { type Candidate, rollOf } from './candidates';
import { type Decoder, type MeshBox, valuesOf } from './detector';

export interface BlazefaceGrid {
  readonly cells: number;
  readonly perCell: number;
  /** Names of the outputs. */
  readonly logits: string;
  readonly offsets: string;
}

export const grids: readonly BlazefaceGrid[] = [
  { cells: 16, perCell: 2, logits: 'logits512', offsets: 'offsets512' },
  { cells: 8, perCell: 6, logits: 'logits384', offsets: 'offsets384' },
];

/** Center of an anchor of a grid in pixels of the input. */
export function anchorOf({ cells, perCell }: BlazefaceGrid, anchor: number, inputSize: number) {
  const cell = Math.floor(anchor / perCell);
  const stride = inputSize / cells;
  return { x: ((cell % cells) + 0.5) * stride, y: (Math.floor(cell / cells) + 0.5) * stride };
}

/** Box (x, y, width, height), then six points: eyes from the viewer's left, nose, mouth, ears. */
const valuesPerAnchor = 16;

/** See `MeshBox`. */
export const blazefaceMeshBox: MeshBox = { drop: -0.037, width: 0.924, height: 1.091 };

export const blazeface: Decoder = {
  meshBox: blazefaceMeshBox,
  uprightScore: 0.9,
  sureScore: 0.7,

  needs: () =>
    Object.fromEntries(
      grids.flatMap(({ cells, perCell, logits, offsets }) => {
        const anchors = cells * cells * perCell;
        return [
          [logits, anchors],
          [offsets, anchors * valuesPerAnchor],
        ];
      }),
    ),

  read(outputs, { inputSize, minScore }) {
    const minLogit = Math.log(minScore / (1 - minScore));
    return grids.flatMap((grid) => {
      const values = valuesOf(outputs, grid.offsets);
      const found: Candidate[] = [];
      valuesOf(outputs, grid.logits).forEach((logit, anchor) => {
        if (!(logit >= minLogit)) return;
        const center = anchorOf(grid, anchor, inputSize);
        const value = (i: number) => values[anchor * valuesPerAnchor + i] as number;
        const width = value(2);
        const height = value(3);
        const points = Float32Array.from(
          { length: 8 },
          (_, i) => value(4 + i) + (i % 2 ? center.y : center.x),
        );
        found.push({
          score: 1 / (1 + Math.exp(-logit)),
          left: center.x + value(0) - width / 2,
          top: center.y + value(1) - height / 2,
          width,
          height,
          angle: rollOf(points),
          points,
        });
      });
      return found;
    });
  },
};
