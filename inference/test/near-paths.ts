/** The near path and the general path over the same models, for tests that compare them. */
import type { ModelSpec } from '../src/backends/backend';
import { OnnxBackend } from '../src/backends/onnx';
import { readCatalogue } from '../src/catalogue/manifest';
import { defaultModelCache } from '../src/catalogue/paths';
import { ensureNearPath } from '../src/compiler/near-path-file';
import type { FindAndEmbedOptions } from '../src/near-path/find-and-embed';
import { type NearFace, NearPath } from '../src/near-path/near-path';
import type { Embedder } from '../src/pipeline/faces/embed';
import type { DecodedImage } from '../src/pipeline/image/decoded-image';
import { servingModels } from './setup';

/** @param device of the near path. */
export async function openNearPath(device: 'cpu' | 'cuda' | 'webgpu'): Promise<NearPath> {
  const cache = process.env.MODELS_CACHE ?? defaultModelCache;
  const path = await ensureNearPath(await servingModels(), await readCatalogue(), cache);
  if (path === undefined) throw new Error('The default models have no near path');
  return new NearPath(await new OnnxBackend(device).loadProgram(path));
}

/** The models of the general path on a CPU, in 32-bit floats. */
export async function generalPath(): Promise<FindAndEmbedOptions> {
  const { models: specs, knowledge } = await servingModels();
  const backend = new OnnxBackend();
  const load = (role: string) => backend.load(specs[role] as ModelSpec);
  const models = { near: await load('near'), thorough: await load('thorough'), mesh: await load('mesh') };
  const embedders: Embedder[] = [];
  for (const part of knowledge.embedding) embedders.push({ ...part, model: await load(part.model) });
  return { models, embedders };
}

/** Largest differences of a face: points as proportions of the longer side of the image, other values as they are. */
export function differencesOf(actual: NearFace, expected: NearFace, { longestSide }: DecodedImage) {
  return {
    points: largest(actual.face.mesh.points, expected.face.mesh.points) / longestSide,
    confidence: Math.abs(actual.face.confidence - expected.face.confidence),
    presence: Math.abs(actual.face.mesh.presence - expected.face.mesh.presence),
    embedding: largest(actual.embedding, expected.embedding),
  };
}

/** NaN where a value is missing or none. */
function largest(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.NaN;
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))), 0);
}
