/** The file of the near path: made from the models that serve, once for each choice of them. */
import { mkdir, readFile } from 'node:fs/promises';
import { readOnnx } from '../onnx-format/read-onnx';
import { isWholeOnnx } from '../onnx-format/whole-file';
import { writeAtomically } from '../originals/write-atomically';
import { nearPathOf } from '../serving/near-path-file';
import type { ServingModels } from '../serving/serving-models';
import { isJoinable } from './joinable';
import { encodeNearPath, type NearModel } from './near-path';

/**
 * Joins the compiled models that serve to the graph of the near path, unless the cache already has it.
 * @returns its path; undefined where the models cannot be joined.
 */
export async function ensureNearPath(
  { models, manifestData: { alignments } }: Pick<ServingModels, 'models' | 'manifestData'>,
  cache: string,
): Promise<string | undefined> {
  const path = nearPathOf(models, alignments, cache);
  if (path === undefined || (await isWholeOnnx(path))) return path;
  const loaded: NearModel[] = [];
  for (const role of ['near', 'thorough', 'mesh', 'embedding'] as const) {
    const spec = models[role];
    const graph = readOnnx(await readFile(spec.path));
    if (!graph || !isJoinable(graph)) return undefined;
    loaded.push({ spec, graph });
  }
  const [near, thorough, mesh, embedding] = loaded as [NearModel, NearModel, NearModel, NearModel];
  const bytes = encodeNearPath({ near, thorough, mesh, embedding: { ...embedding, alignments } });
  await mkdir(cache, { recursive: true });
  await writeAtomically(path, bytes);
  return path;
}
