/** A drawing that shows plainly what it is: open scissors with red handles. No installed package has a photograph. */
import sharp from 'sharp';

// Local, because every use of a global is slow in the context of a test.
const { abs, cos, hypot, max, min, sin } = Math;

type Point = readonly [number, number];
type Color = readonly [number, number, number];

const [width, height] = [640, 480];
const paper: Color = [245, 245, 245];
const steel: Color = [200, 206, 210];
const red: Color = [200, 32, 42];

/** Distance of a point from a line between two others, and how far along it lies, 0 to 1. */
function fromLine([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): readonly [number, number] {
  const [dx, dy] = [bx - ax, by - ay];
  const along = min(1, max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return [hypot(x - ax - along * dx, y - ay - along * dy), along];
}

/** Whether a point lies on the rim of an ellipse that is turned by `angle`. */
function onRim([x, y]: Point, [cx, cy]: Point, angle: number): boolean {
  const [c, s] = [cos(angle), sin(angle)];
  const u = ((x - cx) * c + (y - cy) * s) / 80;
  const v = ((y - cy) * c - (x - cx) * s) / 45;
  return abs(hypot(u, v) - 1) < 0.2;
}

/** One half, its blade to the upper left; the other is its mirror image about the middle line. */
function half(at: Point): Color | undefined {
  if (onRim(at, [450, 307], 0.35) || fromLine(at, [325, 238], [390, 283])[0] < 12) return red;
  const [distance, along] = fromLine(at, [335, 250], [82, 155]);
  return distance < 13 * (1 - along) + 3 ? steel : undefined;
}

/** Upright, blades at the bottom, its edges as soft as a lens draws them: 480 x 640 pixels as PNG. */
export function scissors(): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixels.set(half([x, y]) ?? half([x, height - y]) ?? paper, 3 * (y * width + x));
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .rotate(270)
    .blur(1.5)
    .png()
    .toBuffer();
}
