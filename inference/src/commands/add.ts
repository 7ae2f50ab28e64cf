/** `models add`: checks what the operator typed, asks about license and training data, and adds the model. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { idPattern, type ModelManifest } from '../catalogue/manifest';
import { readRecipes } from '../catalogue/recipe';
import { type AddModel, addModel, isAddress, roleOf } from './add-model';
import { progressOf } from './progress';
import { UsageError } from './usage-error';

export interface AddValues {
  readonly id?: string;
  readonly recipe?: string;
  readonly license?: string;
  readonly 'training-data'?: string;
  readonly 'accept-license'?: boolean;
  readonly sha256?: string;
  readonly people?: string;
}

export interface AddContext {
  readonly catalogue: readonly ModelManifest[];
  /** MODELS_FOLDER, absolute. */
  readonly folder: string | undefined;
  readonly cache: string;
  /** Resolves a path that was typed. */
  readonly resolvePath: (path: string) => string;
  /** Shows a question and resolves to the line typed; undefined in a script. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
}

/** @throws UsageError before anything is written; Error when the model cannot be added. */
export async function add(sources: readonly string[], values: AddValues, context: AddContext): Promise<void> {
  const request = await checked(sources, values, context);
  await acceptTerms(request, values['accept-license'] === true, context.ask);
  const { id, folder, recipe, people } = request;
  const { source } = await addModel(request).catch((error: Error) => {
    throw new Error(`${error.message}\nNothing was added.`);
  });
  console.log(`Added ${id} to ${folder}: compiled, and equal to its file (SHA-256 ${source.sha256})`);
  if (recipe.task === 'face-embedding' && people === undefined) {
    console.log(`Calibrate it: npm run models -- calibrate ${id} FOLDER --write`);
  }
  console.log(`Use it: INFERENCE_MODELS=${roleOf(recipe)}=${id} npm start`);
}

/** Completes what the operator typed. @throws UsageError that names the first fault. */
async function checked(
  sources: readonly string[],
  values: AddValues,
  { folder, cache, catalogue, resolvePath }: AddContext,
): Promise<AddModel> {
  if (folder === undefined) {
    throw new UsageError(
      'MODELS_FOLDER is not set: set it to the folder of your own models, for example "export MODELS_FOLDER=~/models"',
    );
  }
  const [typed] = sources;
  if (typed === undefined || sources.length > 1) throw new UsageError('Name one FILE or URL to add');
  const id = needed(values, 'id');
  const license = needed(values, 'license');
  const trainingData = needed(values, 'training-data');
  const recipe = await findRecipe(needed(values, 'recipe'));
  checkId(id, catalogue, folder);
  const source = isAddress(typed) ? typed : resolvePath(typed);
  if (!isAddress(source)) await checkReadable(source);
  else if (!URL.canParse(source) || new URL(source).protocol !== 'https:') {
    throw new UsageError('The address of the file must be a valid one that begins with https://');
  }
  const people = values.people === undefined ? undefined : resolvePath(values.people);
  if (people !== undefined) {
    if (recipe.task !== 'face-embedding')
      throw new UsageError(`--people calibrates an embedding, and the recipe ${recipe.id} makes a detector`);
    await checkReadable(people);
  }
  const { sha256 } = values;
  const onProgress = progressOf(id);
  return { id, source, recipe, license, trainingData, sha256, people, folder, cache, onProgress };
}

/** @throws UsageError that names the missing option. */
function needed(values: AddValues, name: 'id' | 'recipe' | 'license' | 'training-data'): string {
  const value = values[name]?.trim();
  if (value) return value;
  throw new UsageError(`--${name} is missing; "npm run models -- --help" shows an example`);
}

async function findRecipe(id: string) {
  const recipes = await readRecipes();
  const recipe = recipes.find((candidate) => candidate.id === id);
  if (recipe) return recipe;
  throw new UsageError(
    `There is no recipe ${id}; the recipes are ${recipes.map((listed) => listed.id).join(', ')}`,
  );
}

function checkId(id: string, catalogue: readonly ModelManifest[], folder: string): void {
  if (!idPattern.test(id)) {
    throw new UsageError(`--id ${id}: use lower-case letters and digits, with hyphens between them`);
  }
  const taken = [`${id}.json`, `${id}.onnx`].find((name) => existsSync(join(folder, name)));
  if (taken)
    throw new UsageError(
      `${join(folder, taken)} already exists, and nothing is overwritten: choose another --id`,
    );
  if (catalogue.some((manifest) => manifest.id === id)) {
    throw new UsageError(`${id} is the id of a built-in model: choose another --id`);
  }
}

async function checkReadable(path: string): Promise<void> {
  await access(path, constants.R_OK).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${code})`);
  });
}

/** Shows license and training data. @throws UsageError unless the operator accepts them. */
async function acceptTerms(
  { id, license, trainingData }: AddModel,
  isAccepted: boolean,
  ask: AddContext['ask'],
): Promise<void> {
  console.error(`${id}\n  License:       ${license}\n  Training data: ${trainingData}`);
  if (isAccepted) return;
  if (!ask) {
    throw new UsageError(
      '--accept-license is missing: in a script, it confirms that you may use the model under this license and with this training data',
    );
  }
  const reply = await ask('May you use this model, with this license and this training data? (yes/no) ');
  if (!/^y(es)?$/i.test(reply.trim())) throw new UsageError('Nothing was added.');
}

/** Asks on the terminal; an end of input is an empty line. */
export async function askOnTerminal(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<string> {
  process.stderr.write(question);
  const reader = createInterface({ input });
  const [line = ''] = await Promise.race([once(reader, 'line'), once(reader, 'close')]);
  reader.close();
  return line;
}
