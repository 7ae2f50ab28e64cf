/** The precision of a compiled model. */
import { isBuiltInOnnx, isOnnx, type ModelManifest } from './manifest';

export type Precision = 'float32' | 'float16' | 'int8';

/**
 * The precisions in which a model is compiled: always float32, and int8 if the manifest has ranges. An operator's own ONNX
 * files are not converted.
 * @param wanted compiled as well, if the model supports it.
 */
export const precisionsOf = (manifest: ModelManifest, wanted?: Precision): readonly Precision[] => [
  'float32',
  ...(supports(manifest, 'int8') ? (['int8'] as const) : []),
  ...(wanted === 'float16' && supports(manifest, 'float16') ? (['float16'] as const) : []),
];

/** The precision of a model if `wanted` is requested. */
export const precisionFor = (manifest: ModelManifest, wanted: Precision): Precision =>
  supports(manifest, wanted) ? wanted : 'float32';

const supports = (manifest: ModelManifest, precision: Precision): boolean =>
  precision === 'float32' ||
  ((!isOnnx(manifest) || isBuiltInOnnx(manifest)) &&
    (precision === 'float16' || manifest.quantization !== undefined));
