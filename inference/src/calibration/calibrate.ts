/** `npm run models -- calibrate`: embeds images of known people and fits the calibration of distances. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Model, ModelSpec } from '../backends/backend';
import { OnnxBackend } from '../backends/onnx';
import { compiledPath } from '../catalogue/compiled-path';
import type { Calibration } from '../catalogue/knowledge';
import type { ModelManifest } from '../catalogue/manifest';
import { type Embedding, embedFaces } from '../pipeline/faces/embed';
import { type FaceModels, findFaces } from '../pipeline/faces/find-faces';
import { distanceBetween, similarityOf } from '../pipeline/faces/similarity';
import { decodeImage, ImageError } from '../pipeline/image/decode';
import { checkFit } from '../serving/model-roles';
import type { ServingModels } from '../serving/serving-models';
import { type Distances, fitCalibration } from './curve';

/** More would take gigabytes of distances and add no information. */
const maxImages = 5000;
/** Longer side in pixels, as in the service. */
const maxSide = 1536;
/** Similarity for which the result reports the missed pairs of one person. */
const threshold = 0.8;

export interface CalibrateOptions {
  /** An embedding model. Its own calibration, if any, is ignored. */
  readonly manifest: ModelManifest;
  /** The models that find the faces. */
  readonly finders: Pick<ServingModels['models'], 'near' | 'thorough' | 'mesh'>;
  readonly cache: string;
  /** Contains a folder of images for each person. */
  readonly folder: string;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Calibrated {
  readonly calibration: Calibration;
  readonly people: number;
  readonly images: number;
  /** Images left out: no face, or not an image. */
  readonly leftOut: number;
  /** Proportion of the pairs of one person below a similarity of 0.8; undefined without such pairs. */
  readonly missed: number | undefined;
}

/** @throws Error, one sentence, if the model or the images are not suitable. */
export async function calibrate(options: CalibrateOptions): Promise<Calibrated> {
  const { manifest, finders, cache, folder, onProgress } = options;
  // The manifest needs no calibration, because that is the result.
  checkFit('embedding', { ...manifest, calibration: { source: '', curve: [] } });
  const images = await listImages(folder);
  const models = await load({ ...finders, embedding: { ...manifest, path: compiledPath(manifest, cache) } });
  const embeddings: { person: string; embedding: Embedding }[] = [];
  try {
    for (const [i, { person, path }] of images.entries()) {
      const embedding = await embed(models, manifest, path);
      if (embedding) embeddings.push({ person, embedding });
      onProgress?.(i + 1, images.length);
    }
  } finally {
    await Promise.all(Object.values(models).map((model) => model.close()));
  }
  const distances = distancesOf(embeddings);
  const calibration = fitCalibration(distances);
  const { same } = distances;
  const below = same.filter((distance) => similarityOf(distance, calibration) < threshold);
  return {
    calibration,
    people: new Set(embeddings.map(({ person }) => person)).size,
    images: embeddings.length,
    leftOut: images.length - embeddings.length,
    missed: same.length > 0 ? below.length / same.length : undefined,
  };
}

async function listImages(folder: string): Promise<{ person: string; path: string }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder} cannot be read (${error.code})`);
  });
  const people = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const images = await Promise.all(
    people.map(async (person) =>
      (await readdir(join(folder, person))).map((name) => ({ person, path: join(folder, person, name) })),
    ),
  );
  const all = images.flat();
  if (all.length > maxImages) throw new Error(`${folder} holds more than ${maxImages} images`);
  return all;
}

type CalibrationModels = FaceModels & { readonly embedding: Model };

async function load(specs: Readonly<Record<keyof CalibrationModels, ModelSpec>>): Promise<CalibrationModels> {
  const backend = new OnnxBackend();
  const models: [string, Model][] = [];
  for (const [role, spec] of Object.entries(specs)) models.push([role, await backend.load(spec)]);
  return Object.fromEntries(models) as unknown as CalibrationModels;
}

/** Embedding of the largest face; undefined without a face. */
async function embed(
  models: CalibrationModels,
  { alignments = [] }: ModelManifest,
  path: string,
): Promise<Embedding | undefined> {
  const image = await decodeImage(await readFile(path), maxSide).catch((error: Error) => {
    if (error instanceof ImageError) return undefined;
    throw error;
  });
  if (!image) return undefined;
  const [faces] = await findFaces(models, [image]);
  const face = faces?.[0];
  if (!face) return undefined;
  const [embedding] = await embedFaces({ embedding: models.embedding, alignments }, [{ image, face }]);
  return embedding;
}

function distancesOf(embeddings: readonly { person: string; embedding: Embedding }[]): Distances {
  const all = (embeddings.length * (embeddings.length - 1)) / 2;
  const found = { same: new Float32Array(all), different: new Float32Array(all) };
  const counts = { same: 0, different: 0 };
  embeddings.forEach((one, i) => {
    for (const other of embeddings.slice(i + 1)) {
      const kind = one.person === other.person ? 'same' : 'different';
      found[kind][counts[kind]++] = distanceBetween(one.embedding, other.embedding);
    }
  });
  return {
    same: found.same.subarray(0, counts.same),
    different: found.different.subarray(0, counts.different),
  };
}
