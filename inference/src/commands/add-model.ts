/**
 * Adds an operator's ONNX file to the folder of own models. Everything happens in a hidden folder beside the manifests;
 * only a model that passed every check moves out of it, so a service never reads a part of one.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { compiledPath } from '../catalogue/compiled-path';
import { manifestText, type OnnxManifest, readCatalogue } from '../catalogue/manifest';
import { type Recipe, resolveOutputs } from '../catalogue/recipe';
import { ensureCompiled } from '../compiler/compile';
import { outputsOfFile } from '../compiler/file-outputs';
import { download, type Progress } from '../originals/download';
import { checkFit } from '../serving/model-roles';
import { calibrateModel, writeCalibration } from './calibrate';

export interface AddModel {
  /** An id that no other model has. */
  readonly id: string;
  /** Path of an ONNX file, or its https address. */
  readonly source: string;
  readonly recipe: Recipe;
  readonly license: string;
  readonly trainingData: string;
  /** The expected hash of the file, if known. */
  readonly sha256?: string | undefined;
  /** Contains a folder of images for each person, to calibrate an embedding. */
  readonly people?: string | undefined;
  /** Receives `ID.onnx` and `ID.json`; created if it is missing. */
  readonly folder: string;
  readonly cache: string;
  readonly onProgress?: Progress;
}

/** The role that a model of a recipe is made for. */
export const roleOf = ({ task }: Pick<Recipe, 'task'>) =>
  task === 'face-embedding' ? ('embedding' as const) : ('thorough' as const);

/**
 * Copies or downloads the file, writes its manifest, compiles it, compares it with the unchanged file, and calibrates it
 * if there are images.
 * @returns the manifest in `folder`.
 * @throws Error with the cause and the remedy; everything written is removed then.
 */
export async function addModel(options: AddModel): Promise<OnnxManifest> {
  const { id, folder, cache, people } = options;
  const staging = await makeStaging(folder);
  const written = [staging];
  const remove = () => {
    for (const path of written) rmSync(path, { recursive: true, force: true });
  };
  const stop = (signal: NodeJS.Signals) => {
    remove();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, stop);
  try {
    const manifest = await stage(options, staging);
    const compiled = compiledPath(manifest, cache);
    if (await ensureCompiled(manifest, cache)) written.push(compiled);
    if (people !== undefined) {
      const { calibration } = await calibrateModel({ manifest, cache, people }).catch((error: Error) => {
        throw new Error(
          `${error.message}\nWithout --people, the model is added and you can calibrate it later.`,
        );
      });
      await writeCalibration(join(staging, `${id}.json`), calibration);
    }
    // Move the manifest last, because it makes the model visible.
    for (const name of [`${id}.onnx`, `${id}.json`]) await rename(join(staging, name), join(folder, name));
    const added = (await readCatalogue(folder)).find((candidate) => candidate.id === id);
    await rm(staging, { recursive: true });
    return added as OnnxManifest;
  } catch (error) {
    remove();
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function makeStaging(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await mkdtemp(join(folder, '.adding-'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${folder} cannot be written (${code}); set MODELS_FOLDER to a folder of yours`);
  }
}

/** Puts the file and its manifest into a folder. */
async function stage(options: AddModel, folder: string): Promise<OnnxManifest> {
  const { id, source, recipe, license, trainingData, sha256 } = options;
  const path = join(folder, `${id}.onnx`);
  await fetchFile(options, path);
  const file = await readFile(path);
  const actual = createHash('sha256').update(file).digest('hex');
  if (sha256 !== undefined && actual !== sha256.toLowerCase()) {
    throw new Error(
      `${nameOf(source)} has SHA-256 ${actual}, not ${sha256}: it is another version or damaged`,
    );
  }
  const { task, description, input, alignments, decoding } = recipe;
  const manifest = {
    id,
    task,
    description: `${description} From ${nameOf(source)}, by the recipe ${recipe.id}.`,
    license,
    trainingData,
    source: { kind: 'file' as const, path: `${id}.onnx`, sha256: actual },
    input,
    outputs: [],
    ...(alignments && { alignments }),
    ...(decoding && { decoding }),
  };
  try {
    const outputs = resolveOutputs(recipe, await outputsOfFile({ ...manifest, folder }, file));
    await writeFile(join(folder, `${id}.json`), `${manifestText({ ...manifest, outputs })}\n`);
    const [read] = (await readCatalogue(folder)) as [OnnxManifest];
    checkFit(roleOf(recipe), read);
    return read;
  } catch (error) {
    throw new Error(
      `${(error as Error).message}\nUse a recipe that fits the file, or write the manifest yourself as in inference/models/README.md.`,
    );
  }
}

async function fetchFile({ source, cache, onProgress }: AddModel, path: string): Promise<void> {
  if (!isAddress(source)) {
    await copyFile(source, path).catch(({ code }: NodeJS.ErrnoException) => {
      throw new Error(`${source} cannot be read (${code})`);
    });
    return;
  }
  // The cache keeps the received part of a download that broke off, and the next attempt resumes it.
  const received = join(cache, 'originals', `${createHash('sha256').update(source).digest('hex')}.onnx`);
  await mkdir(dirname(received), { recursive: true });
  await download({ url: source, path: received, ...(onProgress && { onProgress }) });
  await copyFile(received, path);
  await rm(received);
}

export const isAddress = (source: string) => /^https?:/i.test(source);

/** The file's name, or only the host, because path and query of an address may contain secrets. */
const nameOf = (source: string) => (isAddress(source) ? new URL(source).host : basename(source));
