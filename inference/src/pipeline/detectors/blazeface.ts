/**
 * BlazeFace's outputs. For any size of its square input, a 16 x 16 grid has two anchors per cell and an 8 x 8 grid six, each
 * with a logit, a box and six points as offsets from the cell's center in pixels of the input.
 * Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", 2019.
 */
import type { Candidate } from './candidates';
import { type Decoder, valuesOf } from './detector';

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

/** Box (x, y, width, height), then six points. */
const valuesPerAnchor = 16;

export const blazeface: Decoder = {
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
        found.push({
          score: 1 / (1 + Math.exp(-logit)),
          left: center.x + value(0) - width / 2,
          top: center.y + value(1) - height / 2,
          width,
          height,
          // The first two points are the eyes, from the viewer's left.
          angle: Math.atan2(value(7) - value(5), value(6) - value(4)),
        });
      });
      return found;
    });
  },
};
