/**
 * Recipes: everything about a kind of ONNX model that its files have in common, so that `models add` can write the
 * manifest of a file. They are in `inference/models/recipes`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv from 'ajv';
import { catalogueFolder, type ModelOutput, type OnnxInput } from './manifest';
import manifestSchema from './manifest.schema.json';
import type { AlignmentTemplate, Decoding } from './manifest-parts';
import recipeSchema from './recipe.schema.json';

export interface RecipeOutput {
  /** The name that the pipeline reads. */
  readonly name: string;
  /** Last dimension, for files whose exporter numbered the outputs. Default: any. */
  readonly last?: number;
  /** Whether some files of this kind lack it. */
  readonly optional?: boolean;
}

export interface Recipe {
  /** Name of its file, without the ending. */
  readonly id: string;
  readonly description: string;
  readonly task: 'face-detection' | 'face-embedding';
  readonly input: OnnxInput;
  readonly outputs: readonly RecipeOutput[];
  readonly alignments?: readonly AlignmentTemplate[];
  readonly decoding?: Decoding;
}

/** An output of a file: its name in the graph and the shape of one example. */
export type FileOutput = Pick<ModelOutput, 'name' | 'shape'>;

const validate = new Ajv({ allErrors: true, discriminator: true, schemas: [manifestSchema] }).compile<
  Omit<Recipe, 'id'>
>(recipeSchema);

/**
 * Reads every recipe, ordered by id.
 * @throws Error that names file and field of an invalid recipe.
 */
export async function readRecipes(folder = join(catalogueFolder, 'recipes')): Promise<Recipe[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (name) => {
      const recipe: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'));
      if (validate(recipe)) return { ...recipe, id: name.slice(0, -'.json'.length) };
      const faults = validate.errors?.map((e) => `${e.instancePath || 'recipe'} ${e.message}`);
      throw new Error(`Recipe ${name} is not valid: ${faults?.join('; ')}`);
    }),
  );
}

/**
 * Finds the outputs of a recipe among those of a file: by name if the file has all of them, else by the last dimension, in
 * the order of the file, because many exporters replace names by numbers.
 * @returns the manifest's outputs.
 * @throws Error, one sentence that lists the file's outputs, when an output is missing or ambiguous.
 */
export function resolveOutputs({ outputs }: Recipe, fileOutputs: readonly FileOutput[]): ModelOutput[] {
  const byName = (wanted: string) => fileOutputs.find(({ name }) => name === wanted);
  const isNamed = outputs.every(({ name, optional }) => optional || byName(name));
  return outputs.flatMap((output) => {
    const match = isNamed ? byName(output.name) : byShape(output, outputs, fileOutputs);
    if (!match) return [];
    const { name, shape } = match;
    return { name: output.name, ...(name === output.name ? {} : { source: name }), shape };
  });
}

/** @returns undefined if the file lacks an optional output. */
function byShape(
  { name, last, optional }: RecipeOutput,
  outputs: readonly RecipeOutput[],
  fileOutputs: readonly FileOutput[],
): FileOutput | undefined {
  const alike = outputs.filter((output) => output.last === last);
  const candidates = fileOutputs.filter(({ shape }) => last === undefined || shape.at(-1) === last);
  if (candidates.length === 0 && optional) return undefined;
  if (candidates.length !== alike.length) {
    const names = alike.map((output) => output.name).join(', ');
    const others = `${alike.length} of any name${last === undefined ? '' : ` with the last dimension ${last}`}`;
    const has = fileOutputs.map((output) => `${output.name} [${output.shape}]`).join(', ');
    throw new Error(
      `the file must have ${alike.length > 1 ? 'outputs' : 'an output'} ${names}, or ${others}; it has ${has}`,
    );
  }
  return candidates[alike.findIndex((output) => output.name === name)];
}
