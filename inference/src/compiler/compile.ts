/** Compiles a model: records its original, lowers the trace to ONNX, writes the file into the cache. */
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { compiledNames, compiledPath, sourceVersion } from './compiled-path';
import { sizeOf } from './graph';
import { lower } from './lower';
import type { ModelManifest } from './manifest';
import { encodeOnnx } from './onnx-file';
import { loadOriginal } from './original';
import { trace } from './trace';

export const inputName = 'pixels';

/**
 * Compiles one model in memory.
 * @returns bytes of an ONNX file: input `pixels` uint8 [N, height, width, channels], outputs float [N, ...shape].
 * @throws UnsupportedKernelError naming the model; Error when an output's shape is not the manifest's.
 */
export async function compileModel(manifest: ModelManifest): Promise<Uint8Array> {
  const { width, height, channels } = manifest.input;
  const original = await loadOriginal(manifest);
  const recorded = trace(original.forward, [height, width, channels]);
  const { graph, outputs } = lower(recorded, inputName);
  for (const { name, shape } of manifest.outputs) {
    const made = recorded.outputs[name]?.shape ?? [];
    if (sizeOf(made) !== sizeOf(shape)) {
      throw new Error(
        `${manifest.id}: output "${name}" has the shape [${made}], the manifest says [${shape}]`,
      );
    }
    graph.node('Reshape', [outputs[name] as string, graph.int64s([0, ...shape])], {}, name);
  }
  return encodeOnnx({
    name: manifest.id,
    inputs: [{ name: inputName, type: 'uint8', dims: ['N', height, width, channels] }],
    outputs: manifest.outputs.map(({ name, shape }) => ({ name, type: 'float', dims: ['N', ...shape] })),
    nodes: graph.nodes,
    initializers: graph.initializers,
    metadata: { source: `${manifest.source.package}@${sourceVersion(manifest)}`, licence: manifest.licence },
  });
}

/**
 * Compiles a model unless the cache already has it, and removes older files of the same model.
 * @returns whether work was done.
 */
export async function ensureCompiled(manifest: ModelManifest, cache: string): Promise<boolean> {
  const path = compiledPath(manifest, cache);
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    return false;
  const bytes = await compileModel(manifest);
  await mkdir(cache, { recursive: true });
  // Written aside and renamed: a half-written model can never be loaded.
  const partial = `${path}.${process.pid}.partial`;
  await writeFile(partial, bytes);
  await rename(partial, path);
  const versions = compiledNames(manifest.id);
  const others = (await readdir(cache)).filter((name) => versions.test(name) && name !== basename(path));
  await Promise.all(others.map((name) => rm(join(cache, name))));
  return true;
}
