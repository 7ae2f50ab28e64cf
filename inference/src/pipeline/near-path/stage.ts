/**
 * The near path as a stage of a device, which gathers the images of several tasks: every image is padded to one size, so
 * that a run takes any of them.
 */
import type { IntTensor, LoadedModel, Model, ModelOutputs, ModelSpec, Program } from '../../backends/backend';
import { chunksOf } from '../../backends/buckets';

/** Side in pixels of the square around an image; selfies of 640 x 480 fit. Larger images take the general path. */
export const stagedSide = 640;

const imageInts = stagedSide * stagedSide;
/** An item has one row more than its image, which begins with the image's width and height. */
const itemInts = imageInts + stagedSide;

export const nearPathSpec = (path: string): ModelSpec => ({
  id: 'near-path',
  path,
  input: { width: stagedSide, height: stagedSide + 1, channels: Int32Array.BYTES_PER_ELEMENT },
  outputs: [],
});

/** The model of the stage. @param program the graph that `encodeNearPath` makes. */
export const nearPathStage = (spec: ModelSpec, program: Program): LoadedModel => ({
  spec,
  async run(bytes, batch) {
    const ints = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
    const [chunk] = chunksOf(batch, program.sizes);
    const count = chunk?.size ?? batch;
    const sizes = new Int32Array(2 * count).fill(1);
    const pixels = new Int32Array(count * imageInts);
    for (let i = 0; i < batch; i++) {
      const item = ints.subarray(i * itemInts, (i + 1) * itemInts);
      pixels.set(item.subarray(0, imageInts), i * imageInts);
      // Warming up sends images without pixels.
      sizes.set(
        item.subarray(imageInts, imageInts + 2).map((side) => Math.max(1, side)),
        2 * i,
      );
    }
    const outputs = await program.run({
      pixels: { data: pixels, dims: [count, stagedSide, stagedSide] },
      sizes: { data: sizes, dims: [count, 2] },
    });
    const ofBatch = ([name, values]: [string, Float32Array]) => [
      name,
      values.subarray(0, (values.length / count) * batch),
    ];
    return Object.fromEntries(Object.entries(outputs).map(ofBatch)) as ModelOutputs;
  },
  close: () => program.close(),
});

/** The graph as a task uses it through the stage, one image of at most `stagedSide` at a time. */
export const stagedProgram = (stage: Model): Program => ({
  sizes: { maxBatch: 1 },
  run(inputs) {
    const { pixels, sizes } = inputs as Readonly<Record<'pixels' | 'sizes', IntTensor>>;
    const [, height, width] = pixels.dims as [number, number, number];
    const item = new Int32Array(itemInts);
    for (let y = 0; y < height; y++) {
      item.set(pixels.data.subarray(y * width, (y + 1) * width), y * stagedSide);
    }
    item.set(sizes.data, imageInts);
    return stage.run(new Uint8Array(item.buffer), 1);
  },
  close: async () => {},
});
