/** The file of the near path: made from the models that serve, once for each choice of them. */
import { mkdir } from 'node:fs/promises';
import type { ModelManifest, PackageManifest } from '../catalogue/manifest';
import { isWholeOnnx } from '../onnx-format/whole-file';
import { writeAtomically } from '../originals/write-atomically';
import { decodingOf } from '../pipeline/detectors/decoders';
import { nearPathOf } from '../serving/near-path-file';
import type { ServingModels } from '../serving/serving-models';
import { compileGraph } from './compile';
import { toFloat16 } from './float16';
import { encodeNearPath, type NearModel } from './near-path';

type Served = Pick<ServingModels, 'models' | 'knowledge' | 'precision'>;

/**
 * Makes the graph of the near path in the precision of the models, unless the cache already has it.
 * @param catalogue manifests of the models that serve, among others.
 * @returns its path; undefined where a model is an ONNX file or the detector for near faces is not BlazeFace.
 */
export async function ensureNearPath(
  served: Served,
  catalogue: readonly ModelManifest[],
  cache: string,
): Promise<string | undefined> {
  const manifestOf = (role: string) =>
    catalogue.find(({ id }) => id === served.models[role]?.id) as ModelManifest;
  const { alignments } = served.knowledge;
  const half = served.precision === 'float16';
  const path = nearPathOf(manifestOf, { alignments, half }, cache);
  if (path === undefined) return undefined;
  if (await isWholeOnnx(path)) return path;
  const load = async (role: string): Promise<NearModel> => {
    const manifest = manifestOf(role) as PackageManifest;
    const graph = await compileGraph(manifest, cache);
    const outputs = manifest.outputs.map(({ name }) => name);
    return { manifest, graph: half ? toFloat16(graph, outputs) : graph };
  };
  const bytes = encodeNearPath({
    near: { ...(await load('near')), decoding: decodingOf(served.models.near) },
    mesh: await load('mesh'),
    embedding: { ...(await load('embedding')), alignments },
  });
  await mkdir(cache, { recursive: true });
  await writeAtomically(path, bytes);
  return path;
}
