/**
 * Turns tones into an engraving: lines along the form that swell where it is dark, crossed in the deepest shade, over a
 * wash of the same tone. Ink on the site's drafting paper.
 */

/** @typedef {import('./raster.mjs').Canvas} Canvas */

const PAPER = /** @type {const} */ ([246, 247, 244]);
const INK = /** @type {const} */ ([19, 24, 28]);
/** How much of a tone the wash carries; the lines carry the rest. */
const WASH = 0.72;

/** @param {number} edge @param {number} value @param {number} softness */
const cut = (value, edge, softness) => Math.min(1, Math.max(0, 0.5 + (value - edge) / softness));

/** @param {number} from @param {number} to @param {number} part */
const mix = (from, to, part) => from + (to - from) * part;

/** Distance from the middle of a line, 0 to 1, for a coordinate that counts lines. @param {number} count */
const fromLine = (count) => Math.abs(2 * (count - Math.floor(count)) - 1);

/**
 * @param {Canvas} canvas
 * @param {number} spacing pixels from line to line of the crossing strokes
 * @returns {Buffer} RGB
 */
export function engrave({ width, height, depth, tone, stroke }, spacing) {
  const pixels = Buffer.alloc(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      let ink = 0;
      if (Number.isFinite(depth[at])) {
        const dark = 1 - Math.min(1, Math.max(0, tone[at])) ** 0.62;
        // Near white the lines end; near black they fill all but a hair of paper.
        const along = cut(1.06 * dark, fromLine(stroke[at]), 0.3) * cut(dark, 0.07, 0.06);
        const across = cut(dark - 0.42, 0.55 * fromLine((x + y) / spacing), 0.3);
        const lines = Math.max(along, 0.9 * across * cut(dark, 0.5, 0.1));
        ink = WASH * dark + (1 - WASH) * lines;
      }
      if (isEdge(depth, width, at, x, y)) ink = Math.max(ink, 0.85);
      pixels[3 * at] = mix(PAPER[0], INK[0], ink);
      pixels[3 * at + 1] = mix(PAPER[1], INK[1], ink);
      pixels[3 * at + 2] = mix(PAPER[2], INK[2], ink);
    }
  }
  return pixels;
}

/** Where one thing ends before another. @param {import('./surface.mjs').Numbers} depth @param {number} width @param {number} at @param {number} x @param {number} y */
function isEdge(depth, width, at, x, y) {
  if (x < 2 || y < 2) return false;
  const here = depth[at];
  const parts = (/** @type {number} */ other) => {
    const there = depth[other];
    return here === Number.POSITIVE_INFINITY ? there !== here : !(Math.abs(here - there) <= 0.16);
  };
  return parts(at - 1) || parts(at - 2) || parts(at - width) || parts(at - 2 * width);
}
