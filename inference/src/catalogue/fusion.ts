/**
 * Fusions: several embedding models as one. The file `fusions/a+b.json` in a folder of manifests names the models by its
 * name and holds the weight of each and the calibration of the fused distance.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv from 'ajv';
import fusionSchema from './fusion.schema.json';
import type { Calibration, Chip, EmbeddingPart } from './knowledge';
import { catalogueFolder, type ModelManifest, parseManifest } from './manifest';
import manifestSchema from './manifest.schema.json';

/** One part of a fusion file, in the order of the models in its name. */
export interface FusionPart {
  /** Share of the model's distance in the fused distance; the shares add up to 1. */
  readonly weight: number;
  /** Chips by the index of their alignment. Default: all alignments, plain and mirrored. */
  readonly chips?: readonly { readonly alignment: number; readonly mirrored?: boolean }[];
}

export interface Fusion {
  readonly id: string;
  readonly parts: readonly FusionPart[];
  readonly calibration: Calibration;
}

/** Ids of the models of a fusion; of any other id, that id. */
export const partsOf = (id: string): readonly string[] => id.split('+');

export const isFusion = (id: string): boolean => id.includes('+');

const validate = new Ajv({ allErrors: true, discriminator: true, schemas: [manifestSchema] }).compile<
  Omit<Fusion, 'id'>
>(fusionSchema);

/**
 * Finds a fusion in the operator's folder, else in the built-in one.
 * @returns undefined where neither has its file.
 * @throws Error that names file and field when the file is not valid.
 */
export async function readFusion(id: string, ownFolder?: string): Promise<Fusion | undefined> {
  for (const folder of ownFolder === undefined ? [catalogueFolder] : [ownFolder, catalogueFolder]) {
    const text = await readFile(fusionPath(id, folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) continue;
    const file = parseManifest(text, `${id}.json`);
    if (!validate(file)) {
      const faults = validate.errors?.map((e) => `${e.instancePath || 'file'} ${e.message}`);
      throw new Error(`${id}.json is not valid: ${faults?.join('; ')}`);
    }
    const fusion = { ...file, id };
    check(fusion);
    return fusion;
  }
  return undefined;
}

/** Where the file of a fusion is in a folder of manifests. */
export const fusionPath = (id: string, folder: string): string => join(folder, 'fusions', `${id}.json`);

function check({ id, parts }: Fusion): void {
  const models = partsOf(id).length;
  if (parts.length !== models) throw new Error(`${id}.json, parts: ${parts.length} for ${models} models`);
  const sum = parts.reduce((total, { weight }) => total + weight, 0);
  if (Math.abs(sum - 1) > 1e-3) throw new Error(`${id}.json, parts: the weights add up to ${sum}, not to 1`);
}

/** Every alignment of a model, plain and mirrored. */
const allChips = ({ alignments = [] }: ModelManifest): Chip[] =>
  alignments.flatMap((template) => [
    { template, mirrored: false },
    { template, mirrored: true },
  ]);

/**
 * The parts of an embedding as the pipeline uses them.
 * @param models manifests in the order of the parts.
 * @throws Error that names a chip of an alignment that its model does not have.
 */
export function embeddingParts(
  { id, parts }: Pick<Fusion, 'id' | 'parts'>,
  models: readonly ModelManifest[],
) {
  return parts.map(({ weight, chips }, i): EmbeddingPart => {
    const model = models[i] as ModelManifest;
    // The first keeps the name of the role.
    const name = i === 0 ? 'embedding' : `embedding-${model.id}`;
    if (!chips) return { model: name, weight, chips: allChips(model) };
    return {
      model: name,
      weight,
      chips: chips.map(({ alignment, mirrored = false }, c) => {
        const template = model.alignments?.[alignment];
        if (!template) {
          throw new Error(
            `${id}.json, parts.${i}.chips.${c}: ${model.id} has no alignment ${alignment}; the first is 0`,
          );
        }
        return { template, mirrored };
      }),
    };
  });
}
