/** The file of the near path, which depends on the models that serve. */
import { basename } from 'node:path';
import { compiledPath, nearPathFile } from '../catalogue/compiled-path';
import type { AlignmentTemplate } from '../catalogue/knowledge';
import { isOnnx, type ModelManifest } from '../catalogue/manifest';

/**
 * @param half whether it computes in 16-bit floats.
 * @returns its path; undefined where a model is an ONNX file or the detector for near faces is not BlazeFace.
 */
export function nearPathOf(
  manifestOf: (role: string) => ModelManifest,
  { alignments, half }: { alignments: readonly AlignmentTemplate[]; half: boolean },
  cache: string,
): string | undefined {
  const manifests = ['near', 'mesh', 'embedding'].map(manifestOf);
  if (manifests.some(isOnnx) || manifestOf('near').decoding?.kind !== 'blazeface') return undefined;
  const files = manifests.map((manifest) => basename(compiledPath(manifest, cache)));
  return nearPathFile({ files, alignments, half }, cache);
}
