/** In which numbers a compiled model computes. */
import { isOnnx, type ModelManifest } from './manifest';

export type Precision = 'float32' | 'int8';

/** What a model is compiled to: always floats, and bytes where its manifest says how. ONNX files stay as they are. */
export const precisionsOf = (manifest: ModelManifest): readonly Precision[] =>
  manifest.quantization && !isOnnx(manifest) ? ['float32', 'int8'] : ['float32'];

/** What a model runs in where `wanted` is asked for. */
export const precisionFor = (manifest: ModelManifest, wanted: Precision): Precision =>
  precisionsOf(manifest).includes(wanted) ? wanted : 'float32';
