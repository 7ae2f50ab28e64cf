/** The near path and the general path over the same models, for tests that compare them. */
import type { Program } from '../src/backends/backend';
import { OnnxBackend } from '../src/backends/onnx';
import { defaultModelCache } from '../src/catalogue/paths';
import { ensureNearPath } from '../src/compiler/ensure-near-path';
import { embedFaces, type MeasuredEmbedding } from '../src/pipeline/faces/embed';
import { findFaces } from '../src/pipeline/faces/find-faces';
import type { DecodedImage } from '../src/pipeline/image/decoded-image';
import { type NearFace, NearPath } from '../src/pipeline/near-path/near-path';
import type { ModelRole } from '../src/pipeline/operations';
import { servingModels } from './setup';

type Device = 'cpu' | 'cuda' | 'webgpu';

/** @param device of the near path. */
export const openNearPath = async (device: Device) => new NearPath(await openProgram(device));

/** The graph of the near path. */
export async function openProgram(device: Device): Promise<Program> {
  const cache = process.env.MODELS_CACHE ?? defaultModelCache;
  const path = await ensureNearPath(await servingModels(), cache);
  if (path === undefined) throw new Error('The default models have no near path');
  return new OnnxBackend(device).loadProgram(path);
}

/** @returns the faces of each image as the general path finds and embeds them on a CPU, in 32-bit floats. */
export async function generalPath(): Promise<(images: readonly DecodedImage[]) => Promise<NearFace[][]>> {
  const { models: specs, manifestData } = await servingModels();
  const backend = new OnnxBackend();
  const load = (role: ModelRole) => backend.load(specs[role]);
  const models = { near: await load('near'), thorough: await load('thorough'), mesh: await load('mesh') };
  const embedder = { model: await load('embedding'), alignments: manifestData.alignments };
  return async (images) => {
    const facesByImage = await findFaces(models, images);
    const all = facesByImage.flatMap((faces, i) =>
      faces.map((face) => ({ image: images[i] as DecodedImage, face })),
    );
    const embeddings = await embedFaces(embedder, all);
    return facesByImage.map((faces) =>
      faces.map((face) => ({ face, ...(embeddings.shift() as MeasuredEmbedding) })),
    );
  };
}

/** Largest differences of a face: points as proportions of the longer side of the image, norms
 * as proportions of the expected one, other values as they are. */
export function differencesOf(actual: NearFace, expected: NearFace, { longestSide }: DecodedImage) {
  return {
    points: largest(actual.face.mesh.points, expected.face.mesh.points) / longestSide,
    confidence: Math.abs(actual.face.confidence - expected.face.confidence),
    presence: Math.abs(actual.face.mesh.presence - expected.face.mesh.presence),
    embedding: largest(actual.embedding, expected.embedding),
    norm: Math.abs(actual.norm - expected.norm) / expected.norm,
  };
}

/** NaN where a value is missing or none. */
function largest(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.NaN;
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] as number))), 0);
}
