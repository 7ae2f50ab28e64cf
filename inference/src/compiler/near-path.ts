/**
 * The near path as one graph: an image with one near, upright face goes through both detectors, mesh and embedding in one
 * run of the device, and no pixel returns to the processor in between. The graph computes what `findFaces` and `embedFaces`
 * compute for such an image; its reader decides from the outputs whether the image is one.
 */
import { type ModelSpec, product } from '../backends/backend';
import type { AlignmentTemplate } from '../catalogue/manifest-parts';
import { encodeOnnx } from '../onnx-format/onnx-file';
import type { ReadModel } from '../onnx-format/read-onnx';
import { decodingOf } from '../pipeline/detectors/decoders';
import { cropFactor, cropSteps, pointCount } from '../pipeline/faces/mesh';
import { type Affine, fitSimilarity, mapX, mapY } from '../pipeline/image/geometry';
import { Arithmetic } from './arithmetic';
import { areOfOtherFaces, type BestFace, bestFace, candidatesOf } from './best-face';
import { Graph } from './graph';
import { type Maps, type Pyramid, pyramidOf, sample } from './sampling';

/** A model and its compiled graph. */
export interface NearModel {
  readonly spec: ModelSpec;
  readonly graph: ReadModel;
}

export interface NearModels {
  readonly near: NearModel;
  readonly thorough: NearModel;
  readonly mesh: NearModel;
  readonly embedding: NearModel & { readonly alignments: readonly AlignmentTemplate[] };
}

/**
 * @param models detectors that are YuNet, and graphs that are joinable.
 * @returns bytes of an ONNX file.
 *
 * Inputs, for N images: `pixels` int32 [N, H, W] (see `pyramidOf`), `sizes` int32 [N, 2].
 *
 * Outputs: `candidate` [N, 9] (number of candidates up to 2; 1 where the thorough detector sees another face, else 0;
 * score, cosine and sine of the roll; center, width and height of its box in image pixels), `presence` [N, 1],
 * `points` [N, 468, 2] and `depth` [N, 468] in image pixels, `features` [N, 6, 6, 128], `embedding` [N, D], a unit vector,
 * `norm` [N, 1], the mean length of the embedding model's vectors.
 */
export function encodeNearPath({ near, thorough, mesh, embedding }: NearModels): Uint8Array {
  const math = new Arithmetic(new Graph());
  const { graph } = math;
  const pyramid = pyramidOf(math, 'pixels', 'sizes');

  const first = detect(math, pyramid, near, 'near');
  const best = bestFace(math, first.candidates);

  const meshSize = mesh.spec.input.width;
  const crop = faceCrop(math, first.maps, best, { from: first.inputSize, to: meshSize });
  const meshOutputs = insert(graph, mesh, 'mesh', sample(math, pyramid, crop.maps, meshSize));
  const placed = placePoints(math, meshOutputs.mesh as string, crop.maps, meshSize);

  const second = detect(math, pyramid, thorough, 'thorough');
  const others = areOfOtherFaces(math, second.candidates, second, placed.points);

  const { alignments } = embedding;
  const chipSize = embedding.spec.input.width;
  const chips = sample(math, pyramid, chipMaps(math, placed.points, alignments, chipSize), chipSize);
  const made = insert(graph, embedding, 'embedding', chips);
  const sizes = embedding.spec.outputs.find(({ name }) => name === 'embedding')?.shape ?? [];
  const shape = { count: alignments.length, length: product(sizes) };

  const flat = (value: string) => math.reshape(value, [0, 1]);
  const inImage = (length: string) => math.mul(length, first.maps.a);
  const box = [crop.x, crop.y, inImage(best.width), inImage(best.height)];
  const outputs = {
    candidate: math.concat(1, ...[best.count, others, best.score, best.cos, best.sin, ...box].map(flat)),
    presence: meshOutputs.presence as string,
    points: placed.points,
    depth: math.reshape(placed.depth, [0, pointCount]),
    features: meshOutputs.features as string,
    ...meanOf(math, made.embedding as string, shape),
  };
  for (const [name, value] of Object.entries(outputs)) graph.node('Identity', [value], {}, name);
  return encodeOnnx({
    name: 'near-path',
    inputs: [
      { name: 'pixels', type: 'int32', dims: ['N', 'H', 'W'] },
      { name: 'sizes', type: 'int32', dims: ['N', 2] },
    ],
    outputs: Object.keys(outputs).map((name) => ({ name, type: 'float' })),
    nodes: graph.nodes,
    initializers: graph.initializers,
    metadata: {},
  });
}

/** A detector's candidates for whole images, and the map from its input to each image. */
function detect(math: Arithmetic, pyramid: Pyramid, model: NearModel, prefix: string) {
  const inputSize = model.spec.input.width;
  const maps = wholeImage(math, pyramid, inputSize);
  const outputs = insert(math.graph, model, prefix, sample(math, pyramid, maps, inputSize));
  const { minScore } = decodingOf(model.spec);
  return { maps, inputSize, candidates: candidatesOf(math, outputs, { minScore, inputSize }) };
}

/**
 * Adds a model's graph, its names behind a prefix.
 * @returns the values of its outputs by their names in the manifest.
 */
function insert(graph: Graph, { spec, graph: added }: NearModel, prefix: string, pixels: string) {
  const input = added.inputs[0]?.name;
  const renamed = (name: string) => {
    // The name of an optional input that a node leaves out is empty.
    if (name === '') return name;
    return name === input ? pixels : `${prefix}/${name}`;
  };
  for (const node of added.nodes) {
    graph.nodes.push({ ...node, inputs: node.inputs.map(renamed), outputs: node.outputs.map(renamed) });
  }
  for (const tensor of added.initializers) {
    graph.initializers.push({ ...tensor, name: renamed(tensor.name) });
  }
  return Object.fromEntries(spec.outputs.map(({ name }) => [name, renamed(name)]));
}

/** The whole image in the top left of the square. */
function wholeImage({ max, sub, mul, floor }: Arithmetic, { width, height }: Pyramid, size: number): Maps {
  const side = max(width, height);
  const a = mul(side, 1 / size);
  const center = mul(sub(side, 1), 0.5);
  const left = floor(center);
  const c = sub(center, left);
  const zero = mul(a, 0);
  return { left, top: left, a, b: zero, c, d: zero, e: a, f: c, mirrored: [false] };
}

/** The mesh model's crop around a face that was found in another crop, and the face's center in image pixels. */
function faceCrop(math: Arithmetic, from: Maps, face: BestFace, sizes: { from: number; to: number }) {
  const { add, sub, mul, max, floor } = math;
  const rounded = (value: string, step: number) => mul(floor(add(mul(value, 1 / step), 0.5)), step);
  const scale = mul(max(face.width, face.height), from.a, cropFactor / sizes.to);
  const cos = rounded(mul(face.cos, scale), cropSteps.map);
  const sin = rounded(mul(face.sin, scale), cropSteps.map);
  const half = (sizes.from - 1) / 2;
  /** A whole number and the rest of a coordinate, whose first part is exact. */
  const split = (cell: string, value: string, origin: string, shift: string) => {
    const exact = add(mul(sub(cell, half), from.a), shift, origin);
    const whole = floor(exact);
    return { whole, rest: add(sub(exact, whole), mul(value, from.a)) };
  };
  const x = split(face.left, face.x, from.left, from.c);
  const y = split(face.top, face.y, from.top, from.f);
  const maps: Maps = {
    left: x.whole,
    top: y.whole,
    a: cos,
    b: mul(sin, -1),
    c: rounded(x.rest, cropSteps.center),
    d: sin,
    e: cos,
    f: rounded(y.rest, cropSteps.center),
    mirrored: [false],
  };
  return { maps, x: add(x.whole, x.rest), y: add(y.whole, y.rest) };
}

/** Points [N, 468, 2] and depth [N, 468, 1] of a mesh [N, 468, 3] in image pixels. */
function placePoints(math: Arithmetic, mesh: string, maps: Maps, size: number) {
  const { add, sub, mul } = math;
  const [x, y] = [0, 1].map((axis) => sub(math.slice(mesh, 2, axis), (size - 1) / 2)) as [string, string];
  const placed = [
    add(mul(x, maps.a), mul(y, maps.b), maps.c, maps.left),
    add(mul(x, maps.d), mul(y, maps.e), maps.f, maps.top),
  ];
  return {
    points: math.concat(2, ...placed),
    depth: mul(math.slice(mesh, 2, 2), math.hypot(maps.a, maps.d)),
  };
}

/**
 * The alignment is linear in the points, so the maps are products of the points with constants. Shifted points give the
 * same maps, shifted.
 */
function chipMaps(
  math: Arithmetic,
  points: string,
  alignments: readonly AlignmentTemplate[],
  size: number,
): Maps {
  const { graph, sub, mul } = math;
  const landmarks = alignments.flatMap((template) => template.landmarks);
  const used = graph.node('Gather', [points, graph.int64s(landmarks)], { axis: 1 });
  const origin = math.floor(math.slice(used, 1, 0));
  const rows = coefficients(alignments, size);
  const weights = math.constant(rows.flat(), [1, rows.length, 2 * landmarks.length]);
  const flat = math.reshape(sub(used, origin), [0, 1, 2 * landmarks.length]);
  const maps = math.sum(mul(flat, weights), 2);
  const count = alignments.length;
  const mirrored = alignments.map((template) => template.mirrored === true);
  const part = (i: number) => math.slice(maps, 1, i * count, (i + 1) * count);
  const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(part) as [string, string, string, string, string, string];
  const all = (value: string) => math.add(value, math.mul(c, 0));
  return {
    left: all(math.slice(origin, 2, 0)),
    top: all(math.slice(origin, 2, 1)),
    a,
    b,
    c,
    d,
    e,
    f,
    mirrored,
  };
}

/** Six rows for each chip, those of `a` first: its coefficient for x and y of each landmark of all chips. */
function coefficients(alignments: readonly AlignmentTemplate[], size: number): number[][] {
  const total = 2 * alignments.reduce((sum, { landmarks }) => sum + landmarks.length, 0);
  let start = 0;
  const maps = alignments.map((template) => {
    const count = 2 * template.landmarks.length;
    const templateMaps = Array.from({ length: total }, (_, i) =>
      i >= start && i < start + count ? alignment(template, i - start, size) : [0, 0, 0, 0, 0, 0],
    );
    start += count;
    return templateMaps;
  });
  return [0, 1, 2, 3, 4, 5].flatMap((entry) =>
    maps.map((templateMaps) => templateMaps.map((map) => map[entry] as number)),
  );
}

/** The map of a chip, whose origin is its center, where one coordinate of one landmark is 1 and all others are 0. */
function alignment({ landmarks, positions }: AlignmentTemplate, coordinate: number, size: number): Affine {
  const unit = new Float32Array(2 * landmarks.length);
  unit[coordinate] = 1;
  const map = fitSimilarity(Float32Array.from(positions.flat()), unit, [...landmarks.keys()]);
  const [a, b, , d, e] = map;
  const half = (size - 1) / 2;
  return [a, b, mapX(map, half, half), d, e, mapY(map, half, half)];
}

/** The sum of each `count` vectors of a model, scaled to a unit vector, and the mean length of the vectors. */
function meanOf(
  math: Arithmetic,
  vectors: string,
  { count, length }: { count: number; length: number },
): { embedding: string; norm: string } {
  const { mul, div } = math;
  const lengthOf = (vector: string, axis: number) => math.sqrt(math.sum(mul(vector, vector), axis));
  const grouped = math.reshape(vectors, [-1, count, length]);
  const sum = math.reshape(math.sum(grouped, 1), [-1, length]);
  const norms = math.reshape(lengthOf(grouped, 2), [-1, count]);
  return { embedding: div(sum, lengthOf(sum, 1)), norm: mul(math.sum(norms, 1), 1 / count) };
}
