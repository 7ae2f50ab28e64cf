/**
 * Finds and embeds the face of images with one near, upright face, all in one run of the device. Any other image needs the
 * general path, `findFaces` and `embedFaces`, which give the same for the images that this one takes.
 */
import { exampleOf, type ModelOutputs, type Program } from '../../backends/backend';
import { chunksOf } from '../../backends/buckets';
import { yunet } from '../detectors/yunet';
import type { MeasuredEmbedding } from '../faces/embed';
import { boxOf, type Face, minPresence } from '../faces/face';
import { maxRoll, minSteadyOverlap } from '../faces/face-collection';
import { rollOfMesh } from '../faces/mesh';
import { isAtEdge } from '../faces/placed-candidates';
import { maxNearSide, minStripRatio } from '../faces/views';
import { area, insideOf, overlap } from '../image/boxes';
import type { DecodedImage } from '../image/decoded-image';

export interface NearFace extends MeasuredEmbedding {
  readonly face: Face;
}

/**
 * Sides in pixels of the images that the graph takes; its mip map is too small for larger ones. Tests and benchmarks run
 * batches up to this side. The service passes single images of at most `stagedSide`, which its stage gathers.
 */
const [minSide, maxSide] = [16, 1536];

/**
 * Pixels of one run, of all images padded to the largest. The mip map holds 16 bytes for each, and 128 MiB is the largest
 * buffer that every WebGPU adapter supports.
 */
const maxPixels = 2 ** 23;

export class NearPath {
  /** @param program the graph that `encodeNearPath` makes. */
  constructor(private readonly program: Program) {}

  /** @returns the face of each image, undefined where the image needs the general path. */
  async run(images: readonly DecodedImage[]): Promise<(NearFace | undefined)[]> {
    const nearFaces = images.map((): NearFace | undefined => undefined);
    const suitable = [...images.keys()].filter((i) => isSuitable(images[i] as DecodedImage));
    for (const batch of batchesOf(suitable, images, this.program.sizes)) {
      const faces = await this.runBatch(batch.map((i) => images[i] as DecodedImage));
      batch.forEach((i, k) => {
        nearFaces[i] = faces[k];
      });
    }
    return nearFaces;
  }

  close(): Promise<void> {
    return this.program.close();
  }

  private async runBatch(images: readonly DecodedImage[]): Promise<(NearFace | undefined)[]> {
    const [chunk] = chunksOf(images.length, this.program.sizes);
    const size = chunk?.size ?? images.length;
    const outputs = await this.program.run(pack(images, size));
    return images.map((image, i) => read(outputs, i, size, image));
  }
}

function isSuitable({ width, height, longestSide }: DecodedImage): boolean {
  const shortSide = Math.min(width, height);
  return shortSide >= minSide && longestSide <= maxSide && longestSide <= minStripRatio * shortSide;
}

/** Splits positions of images into batches that fit the device, in their order. */
function batchesOf(
  positions: readonly number[],
  images: readonly DecodedImage[],
  { maxBatch, fixed }: Program['sizes'],
): number[][] {
  const batches: number[][] = [];
  let [width, height] = [0, 0];
  for (const i of positions) {
    const image = images[i] as DecodedImage;
    const last = batches.at(-1);
    width = Math.max(width, image.width);
    height = Math.max(height, image.height);
    const count = (last?.length ?? 0) + 1;
    const size = fixed?.find((bucket) => bucket >= count) ?? count;
    if (last && count <= maxBatch && size * width * height <= maxPixels) {
      last.push(i);
      continue;
    }
    batches.push([i]);
    ({ width, height } = image);
  }
  return batches;
}

/** The inputs of the graph: each image in the top left of a rectangle that fits all, and black ones up to `count`. */
function pack(images: readonly DecodedImage[], count: number) {
  const width = Math.max(...images.map((image) => image.width));
  const height = Math.max(...images.map((image) => image.height));
  const sizes = new Int32Array(2 * count).fill(1);
  images.forEach((image, i) => {
    sizes.set([image.width, image.height], 2 * i);
  });
  const [first] = images as [DecodedImage];
  const data = count === 1 ? first.pixels : padded(images, { width, height, count });
  return {
    pixels: { data, dims: [count, height, width] },
    sizes: { data: sizes, dims: [count, 2] },
  };
}

function padded(
  images: readonly DecodedImage[],
  { width, height, count }: { width: number; height: number; count: number },
): Int32Array {
  const data = new Int32Array(count * height * width);
  images.forEach((image, i) => {
    for (let y = 0; y < image.height; y++) {
      const row = image.pixels.subarray(y * image.width, (y + 1) * image.width);
      data.set(row, (i * height + y) * width);
    }
  });
  return data;
}

/** The output `candidate` of one image; see `encodeNearPath`. */
type CandidateOutput = [number, number, number, number, number, number, number, number, number];

/** The face of one image of a batch, if the general path would need no further look for it. */
function read(
  outputs: ModelOutputs,
  index: number,
  batch: number,
  image: DecodedImage,
): NearFace | undefined {
  const valuesOf = (name: string) => exampleOf(outputs[name], index, batch);
  const [count, others, score, cos, sin, x, y, width, height] = valuesOf(
    'candidate',
  ) as unknown as CandidateOutput;
  const [presence] = valuesOf('presence') as unknown as [number];
  const [norm] = valuesOf('norm') as unknown as [number];
  const points = valuesOf('points').slice();
  const box = boxOf({ points });
  const turn = rollOfMesh(points) - Math.atan2(sin, cos);
  const isAligned = Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) <= maxRoll;
  const expected = { left: x - width / 2, top: y - height / 2, width, height };
  const isSteady = overlap(expected, box) >= minSteadyOverlap;
  const isAlone = count === 1 && (others === 0 || image.longestSide <= maxNearSide);
  const needsNoSecondLook = score >= yunet.minRollScore && presence >= minPresence;
  if (!isAlone || !needsNoSecondLook || !isAligned || !isSteady || isAtEdge(expected, image))
    return undefined;
  const mesh = { points, depth: valuesOf('depth').slice(), presence, features: valuesOf('features').slice() };
  return {
    face: {
      confidence: (score + presence) / 2,
      box,
      detectedArea: area(insideOf(expected, image)),
      mesh,
      isConfirmed: true,
    },
    embedding: valuesOf('embedding').slice(),
    norm,
  };
}
