/**
 * `DecodedImage.sample` as part of a graph: the same mip map, the same weights of 8 bits, the same rounding to bytes and
 * the same black border. It gathers the four neighbors of each pixel from all levels of the mip map, so every image of a batch
 * has its own size, and every crop its own level; ONNX's GridSample has neither, nor does it round.
 */
import type { Arithmetic } from './arithmetic';

/** Bytes of a batch of images at full size and halved up to three times. */
export interface Pyramid {
  /** [every pixel of every level and image, 3], images one after the other, each from its largest level. */
  readonly pixels: string;
  /** Width and height of each image, without padding; [N, 1, 1]. */
  readonly width: string;
  readonly height: string;
  /** First row of each image in `pixels`; int32 [N, 1, 1]. */
  readonly start: string;
  /** Width to which the images are padded. */
  readonly stride: string;
  /** Rows of each level for one image. */
  readonly levelSizes: readonly string[];
}

/**
 * Affine maps (x, y) -> (left + a x + b y + c, top + d x + e y + f) from crops, whose origin is their center, to images; each
 * [N, maps of an image, 1]. `left` and `top` are whole numbers close to the center in the image, so that the others are
 * small: the smaller a float, the finer its steps.
 */
export interface Maps {
  readonly left: string;
  readonly top: string;
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly d: string;
  readonly e: string;
  readonly f: string;
  /** Whether the sampled square is mirrored left to right, for each map of an image. */
  readonly mirrored: readonly boolean[];
}

/** A level is used from this scale on; the crops of larger faces than images can have would need more. */
const levelScales = [1, 2, 4, 8] as const;

/**
 * @param pixels int32 [N, H, W], H and W at least 8: red | green << 8 | blue << 16 of each pixel; the highest byte is 0 or
 *   255.
 * @param sizes int32 [N, 2]: width and height of each image, which starts at the top left.
 */
export function pyramidOf(math: Arithmetic, pixels: string, sizes: string): Pyramid {
  const { graph } = math;
  const rows: string[] = [];
  let level = channelsOf(math, pixels);
  for (const scale of levelScales) {
    if (scale > 1) level = halved(math, level);
    const last = graph.node('Transpose', [level], { perm: [0, 2, 3, 1] });
    rows.push(math.reshape(last, [0, -1, 3]));
  }
  const all = math.concat(1, ...rows);
  const shape = graph.node('Shape', [all]);
  const length = (axis: number, tensor: string) =>
    graph.node('Gather', [tensor, graph.constant(BigInt64Array.of(BigInt(axis)), [], 'int64')]);
  const int32 = (value: number) => graph.constant(Int32Array.of(value), [], 'int32');
  const images = graph.node('Range', [int32(0), math.int32(length(0, shape)), int32(1)]);
  const start = graph.node('Mul', [images, math.int32(length(1, shape))]);
  const size = math.reshape(math.float(sizes), [0, 2, 1]);
  return {
    pixels: math.reshape(all, [-1, 3]),
    width: math.slice(size, 1, 0),
    height: math.slice(size, 1, 1),
    start: math.reshape(start, [-1, 1, 1]),
    stride: math.float(length(2, graph.node('Shape', [pixels]))),
    levelSizes: rows.map((row) => math.float(length(1, graph.node('Shape', [row])))),
  };
}

/** Red, green and blue as [N, 3, H, W]. A packed pixel has at most 24 bits, so a float holds it exactly. */
function channelsOf(math: Arithmetic, pixels: string): string {
  const { floor, sub, mul } = math;
  const signed = math.float(pixels);
  // A highest byte of 255 means that 2^24 was subtracted.
  const packed = sub(signed, mul(floor(mul(signed, 2 ** -24)), 2 ** 24));
  const blue = floor(mul(packed, 2 ** -16));
  const redAndGreen = sub(packed, mul(blue, 2 ** 16));
  const green = floor(mul(redAndGreen, 2 ** -8));
  const red = sub(redAndGreen, mul(green, 2 ** 8));
  const axis = math.graph.int64s([1]);
  return math.concat(
    1,
    ...[red, green, blue].map((channel) => math.graph.node('Unsqueeze', [channel, axis])),
  );
}

const halved = (math: Arithmetic, image: string) =>
  math.floor(
    math.add(math.graph.node('AveragePool', [image], { kernel_shape: [2, 2], strides: [2, 2] }), 0.5),
  );

/**
 * Samples a square of `size` pixels for each map.
 * @returns [N * maps of an image, size, size, 3], whole numbers from 0 to 255.
 */
export function sample(math: Arithmetic, pyramid: Pyramid, maps: Maps, size: number): string {
  const { graph, add, sub, mul, min, max, floor } = math;
  const view = viewOf(math, pyramid, maps, size);
  const half = (size - 1) / 2;
  const steps = Array.from({ length: size }, (_, i) => i);
  const column = math.constant(steps, [1, 1, size, 1]);
  const row = math.constant(
    steps.map((step) => step - half),
    [1, size, 1, 1],
  );
  // `DecodedImage` begins each row at a multiple of 1/65536 pixel and walks along it in such steps.
  const begin = (across: string, first: string) => rounded(math, add(mul(across, row), first));
  const x = add(begin(view.b, view.c), view.lastX, mul(view.a, column));
  const y = add(begin(view.e, view.f), view.lastY, mul(view.d, column));

  // The walk along a row leaves this margin for its rounding.
  const margin = (size + 2) / 2 ** 17;
  const [exactX, exactY] = [add(x, view.left), add(y, view.top)];
  const within = (exact: string, last: string) =>
    mul(math.atLeast(exact, margin), math.atLeast(sub(last, margin), exact));
  // Near and past the edge, positions are rounded to the nearest 256th, elsewhere down.
  const rounding = sub(0.5, mul(within(exactX, view.right), within(exactY, view.bottom), 0.5));
  const split = (position: string, origin: string, last: string) => {
    const whole = floor(position);
    const fixed = floor(add(mul(sub(position, whole), 256), rounding));
    const carry = floor(mul(fixed, 1 / 256));
    const pixel = add(whole, origin, carry);
    const near = min(max(pixel, 0), last);
    // Past the last pixel, both neighbors are that pixel.
    const fraction = mul(sub(fixed, mul(carry, 256)), math.atLeast(pixel, 0));
    return { near, far: min(add(near, 1), last), fraction };
  };
  const across = split(x, view.left, view.right);
  const down = split(y, view.top, view.bottom);
  // Up to half a pixel past the edge still belongs to the edge's pixel.
  const inside = mul(
    math.atLeast(exactX, -0.5),
    math.atLeast(exactY, -0.5),
    math.atLeast(add(view.right, 0.5), exactX),
    math.atLeast(add(view.bottom, 0.5), exactY),
  );
  const both = floor(mul(across.fraction, down.fraction, 1 / 256));
  const onlyAcross = sub(across.fraction, both);
  const onlyDown = sub(down.fraction, both);
  const neither = sub(256, across.fraction, onlyDown);

  const top = mul(down.near, view.stride);
  const bottom = mul(down.far, view.stride);
  const weighted = (line: string, position: string, weight: string) => {
    // Positions within an image are exact as floats, those within a batch may not be.
    const index = graph.node('Add', [math.int32(add(line, position)), view.start]);
    const flat = graph.node('Squeeze', [index, graph.int64s([3])]);
    return mul(graph.node('Gather', [pyramid.pixels, flat], { axis: 0 }), weight);
  };
  // The neighbors are added one after the other: all four at once would be the largest tensor of the graph.
  const mixed = add(
    weighted(top, across.near, neither),
    weighted(top, across.far, onlyAcross),
    weighted(bottom, across.near, onlyDown),
    weighted(bottom, across.far, both),
  );
  return mul(floor(mul(add(mixed, 128), 1 / 256)), inside);
}

/** The nearest multiple of 1/65536. With exactly one half, floats would round large multiples up to the next one. */
const rounded = ({ mul, add, floor }: Arithmetic, value: string) =>
  mul(floor(add(mul(value, 2 ** 16), 0.4999)), 2 ** -16);

/** Maps to the level that each crop reads, and that level's position and size; each [N * maps, 1, 1, 1]. */
function viewOf(math: Arithmetic, pyramid: Pyramid, maps: Maps, size: number) {
  const { graph, add, sub, mul, floor } = math;
  const scale = math.hypot(maps.a, maps.d);
  const reached = levelScales.slice(1).map((limit) => math.atLeast(scale, limit));
  const shrink = sub(1, ...reached.map((flag, i) => mul(flag, 2 ** -(i + 1))));
  const offset = add(0, ...reached.map((flag, i) => mul(flag, pyramid.levelSizes[i] as string)));
  // All factors are powers of two, and nothing is divided, because GPUs round divisions freely.
  const ofLevel = (length: string) => floor(mul(length, shrink));
  // A pixel of a level covers several, so the center of pixel x is at (x + 0.5) * shrink - 0.5.
  const origin = (position: string) => floor(mul(position, shrink));
  const shift = (position: string, value: string) =>
    add(sub(mul(position, shrink), origin(position)), sub(mul(add(value, 0.5), shrink), 0.5));
  const step = (value: string) => rounded(math, mul(value, shrink));
  const perMap = (value: (mirrored: boolean) => number) =>
    math.constant(maps.mirrored.map(value), [1, maps.mirrored.length, 1]);
  const direction = perMap((mirrored) => (mirrored ? -1 : 1));
  const last = perMap((mirrored) => (mirrored ? size - 1 : 0));
  // The left end of the middle row.
  const begin = (position: string, value: string, along: string) =>
    add(shift(position, value), mul(along, shrink, (1 - size) / 2));
  const each = (value: string) => math.reshape(value, [-1, 1, 1, 1]);
  return {
    a: each(mul(step(maps.a), direction)),
    b: each(mul(maps.b, shrink)),
    c: each(begin(maps.left, maps.c, maps.a)),
    d: each(mul(step(maps.d), direction)),
    e: each(mul(maps.e, shrink)),
    f: each(begin(maps.top, maps.f, maps.d)),
    // A mirrored square begins at the right end.
    lastX: each(mul(step(maps.a), last)),
    lastY: each(mul(step(maps.d), last)),
    left: each(origin(maps.left)),
    top: each(origin(maps.top)),
    right: each(sub(ofLevel(pyramid.width), 1)),
    bottom: each(sub(ofLevel(pyramid.height), 1)),
    stride: each(ofLevel(pyramid.stride)),
    start: each(graph.node('Add', [math.int32(offset), pyramid.start])),
  };
}
