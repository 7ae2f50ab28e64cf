/** The sampler of graphs against the one of the pipeline, on noise, where every difference shows. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encodeOnnx } from '../onnx-format/onnx-file';
import { DecodedImage, mirror } from '../pipeline/image/decoded-image';
import { type Affine, mapX, mapY } from '../pipeline/image/geometry';
import { randomNumbers } from '../random';
import { Arithmetic } from './arithmetic';
import { Graph } from './graph';
import { pyramidOf, sample } from './sampling';

const size = 24;
const random = randomNumbers();

function noise(width: number, height: number): DecodedImage {
  const pixels = new Int32Array(width * height).map(() => 0xff000000 | (2 ** 24 * random()));
  return new DecodedImage(pixels, width, height);
}

/** Samples every image along every map, each plain and mirrored, in a batch padded to the largest image. */
async function sampleInGraph(images: readonly DecodedImage[], map: Affine): Promise<Uint8Array[]> {
  const math = new Arithmetic(new Graph());
  const pyramid = pyramidOf(math, 'pixels', 'sizes');
  const half = (size - 1) / 2;
  const center = [mapX(map, half, half), mapY(map, half, half)] as const;
  const [left, top] = center.map(Math.floor) as [number, number];
  const named = {
    a: map[0],
    b: map[1],
    c: center[0] - left,
    left,
    d: map[3],
    e: map[4],
    f: center[1] - top,
    top,
  };
  const maps = Object.fromEntries(
    Object.entries(named).map(([name, value]) => [
      name,
      math.add(math.constant([value, value], [1, 2, 1]), math.mul(pyramid.width, 0)),
    ]),
  ) as Record<keyof typeof named, string>;
  const squares = sample(math, pyramid, { ...maps, mirrored: [false, true] }, size);
  math.graph.node('Identity', [squares], {}, 'squares');
  const file = encodeOnnx({
    name: 'sampling',
    inputs: [
      { name: 'pixels', type: 'int32', dims: ['N', 'H', 'W'] },
      { name: 'sizes', type: 'int32', dims: ['N', 2] },
    ],
    outputs: [{ name: 'squares', type: 'float' }],
    nodes: math.graph.nodes,
    initializers: math.graph.initializers,
    metadata: {},
  });
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const width = Math.max(...images.map((image) => image.width));
  const height = Math.max(...images.map((image) => image.height));
  const pixels = new Int32Array(images.length * width * height).fill(0x123456);
  images.forEach((image, i) => {
    for (let y = 0; y < image.height; y++) {
      const row = image.pixels.subarray(y * image.width, (y + 1) * image.width);
      pixels.set(row, (i * height + y) * width);
    }
  });
  const sizes = Int32Array.from(images.flatMap((image) => [image.width, image.height]));
  const results = await session.run({
    pixels: new Tensor('int32', pixels, [images.length, height, width]),
    sizes: new Tensor('int32', sizes, [images.length, 2]),
  });
  await session.release();
  const bytes = Uint8Array.from(results.squares?.data as Float32Array);
  const each = 3 * size * size;
  return Array.from({ length: 2 * images.length }, (_, i) => bytes.subarray(i * each, (i + 1) * each));
}

const turned = (scale: number, angle: number, x: number, y: number): Affine => {
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  return [cos, -sin, x, sin, cos, y];
};

test.each<[string, Affine]>([
  ['enlarged', turned(0.7, 0.3, 40, 12)],
  ['as it is', [1, 0, 5, 0, 1, 7]],
  ['half the size', turned(2.3, -0.4, 20, 30)],
  ['a quarter of the size', turned(5.1, 0.1, 4, 6)],
  ['an eighth of the size', turned(9.3, 0, 1, 3)],
  ['across every edge', turned(12, 0.2, -40, -60)],
])('a square of an image, %s, has the bytes of the pipeline', async (_, map) => {
  const images = [noise(230, 201), noise(127, 240)];
  const squares = await sampleInGraph(images, map);
  images.forEach((image, i) => {
    const expected = new Uint8Array(3 * size * size);
    image.sample(map, size, expected);
    const mirrored = expected.slice();
    mirror(mirrored, size);
    for (const [sampled, square] of [
      [expected, squares[2 * i]],
      [mirrored, squares[2 * i + 1]],
    ] as const) {
      const differences = sampled.map((value, k) => Math.abs(value - (square?.[k] as number)));
      // Positions are floats here and fixed-point numbers there: a weight may differ by one 256th.
      expect(Math.max(...differences)).toBeLessThanOrEqual(2);
      expect(differences.filter((difference) => difference > 0).length).toBeLessThan(0.05 * sampled.length);
    }
  });
});
