/** The precision of a compiled model. */
import { isOnnx, type ModelManifest } from './manifest';

export type Precision = 'float32' | 'int8';

/** Always float32, and int8 if the manifest has ranges. ONNX files are not converted. */
export const precisionsOf = (manifest: ModelManifest): readonly Precision[] =>
  manifest.quantization && !isOnnx(manifest) ? ['float32', 'int8'] : ['float32'];

/** The precision of a model if `wanted` is requested. */
export const precisionFor = (manifest: ModelManifest, wanted: Precision): Precision =>
  precisionsOf(manifest).includes(wanted) ? wanted : 'float32';
