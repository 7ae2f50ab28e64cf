/** The model of a device probe: four 3x3 convolutions of 32 channels on 128 x 128, about 1.2 GFLOP. */
import { encodeOnnx, type OnnxNode } from '../onnx-format/onnx-file';

const channels = 32;
const layers = 4;
const side = 128;
export const probeShape = [1, channels, side, side];

/** Bytes of an ONNX file; input `x` float [1, 32, 128, 128], output `y` of the same shape. */
export function probeModel(): Uint8Array {
  const count = channels * channels * 9;
  // Small values of both signs, so that activations neither vanish nor grow from layer to layer.
  const weights = Float32Array.from({ length: count }, (_, i) => (((i * 37) % 101) - 50) / 850);
  const nodes: OnnxNode[] = Array.from({ length: layers }, (_, i) => ({
    op: 'Conv',
    inputs: [i === 0 ? 'x' : `h${i}`, 'w'],
    outputs: [i === layers - 1 ? 'y' : `h${i + 1}`],
    attributes: { kernel_shape: [3, 3], pads: [1, 1, 1, 1] },
  }));
  return encodeOnnx({
    name: 'probe',
    inputs: [{ name: 'x', type: 'float', dims: probeShape }],
    outputs: [{ name: 'y', type: 'float', dims: probeShape }],
    nodes,
    initializers: [
      {
        name: 'w',
        type: 'float',
        dims: [channels, channels, 3, 3],
        data: new Uint8Array(weights.buffer),
      },
    ],
    metadata: {},
  });
}

export const probeInput = () =>
  Float32Array.from({ length: channels * side * side }, (_, i) => ((i * 13) % 29) / 29);
