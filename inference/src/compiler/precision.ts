/** In which numbers a compiled model computes. */
import type { ModelManifest } from './manifest';

export type Precision = 'float32' | 'int8';

/** What a model is compiled to: always floats, and bytes where its manifest says how. */
export const precisionsOf = ({ quantization }: Pick<ModelManifest, 'quantization'>): readonly Precision[] =>
  quantization ? ['float32', 'int8'] : ['float32'];

/** What a model runs in where `wanted` is asked for. */
export const precisionFor = (manifest: Pick<ModelManifest, 'quantization'>, wanted: Precision): Precision =>
  precisionsOf(manifest).includes(wanted) ? wanted : 'float32';
