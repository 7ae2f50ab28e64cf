/** Which model of the catalogue plays which part, and what the manifests tell the pipeline besides. */
import { access } from 'node:fs/promises';
import type { ModelSpec } from './backends/backend';
import { compiledPath } from './compiler/compiled-path';
import { type ModelManifest, readCatalogue } from './compiler/manifest';
import { type Knowledge, type ModelRole, modelRoles } from './pipeline/operations';

const modelIds: Readonly<Record<ModelRole, string>> = {
  near: 'blazeface',
  thorough: 'ssd-mobilenet',
  mesh: 'facemesh',
  embedding: 'face-recognition',
  moderation: 'nsfw-mobilenet-mid',
  antispoof: 'antispoof',
  passiveLiveness: 'liveness',
};

/** What a worker loads and knows. */
export interface ServingModels {
  readonly models: Readonly<Record<ModelRole, ModelSpec>>;
  readonly knowledge: Knowledge;
}

/**
 * @param cache folder of compiled models.
 * @throws Error with the remedy when a model is not in the catalogue or not compiled.
 */
export async function findServingModels(cache: string): Promise<ServingModels> {
  const catalogue = await readCatalogue();
  const manifestOf = (role: ModelRole): ModelManifest => {
    const manifest = catalogue.find(({ id }) => id === modelIds[role]);
    if (!manifest) throw new Error(`The model ${modelIds[role]} is not in the catalogue`);
    return manifest;
  };
  const specs = modelRoles.map(async (role) => [role, await specOf(manifestOf(role), cache)] as const);
  return {
    models: Object.fromEntries(await Promise.all(specs)) as ServingModels['models'],
    knowledge: knowledgeOf(manifestOf('embedding')),
  };
}

function knowledgeOf({ id, alignments, calibration }: ModelManifest): Knowledge {
  if (!alignments || !calibration) {
    throw new Error(`The manifest of the embedding model ${id} lacks its alignments or its calibration`);
  }
  return { alignments, calibration };
}

async function specOf(manifest: ModelManifest, cache: string): Promise<ModelSpec> {
  const path = compiledPath(manifest, cache);
  await access(path).catch(() => {
    throw new Error(`The model ${manifest.id} is not compiled; run "npm run models -- compile"`);
  });
  return { id: manifest.id, path, input: manifest.input, outputs: manifest.outputs };
}
