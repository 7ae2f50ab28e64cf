/**
 * `npm run quantize -w inference -- MODEL IMAGE...`: runs the pipeline on images, measures the values inside one of its
 * models and writes their ranges into the model's manifest. `INFERENCE_MODELS` chooses models as for the service.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OnnxBackend } from '../backends/onnx';
import { catalogueFolder, readCatalogue } from '../catalogue/manifest';
import { defaultModelCache } from '../catalogue/paths';
import { typedPath } from '../commands/typed-path';
import { observe } from '../compiler/observe';
import { type ModelRole, type Models, operations } from '../pipeline/operations';
import { parseChosenModels } from '../serving/model-roles';
import { findServingModels } from '../serving/serving-models';

async function main([id = '', ...images]: string[]): Promise<void> {
  process.env.ORT_DISABLE_TELEMETRY ??= '1'; // main.ts of the tier does the same
  const manifest = (await readCatalogue()).find((candidate) => candidate.id === id);
  const {
    models: specs,
    manifestData,
    missing,
  } = await findServingModels(process.env.MODELS_CACHE ?? defaultModelCache, {
    chosen: parseChosenModels(process.env.INFERENCE_MODELS ?? ''),
  });
  for (const sentence of missing) console.error(sentence);
  const role = Object.entries(specs).find(([, spec]) => spec.id === id)?.[0] as ModelRole | undefined;
  if (!manifest || !role || images.length === 0) {
    throw new Error(
      'Usage: npm run quantize -w inference -- MODEL IMAGE... (a built-in model that the pipeline uses)',
    );
  }
  const observed = await observe(manifest);
  const backend = new OnnxBackend();
  const loaded = Object.entries(specs).map(async ([name, spec]) => [
    name,
    name === role ? observed : await backend.load(spec),
  ]);
  const models = Object.fromEntries(await Promise.all(loaded)) as Models;
  for (const path of images) {
    const image = await readFile(typedPath(path));
    if (role === 'moderation')
      await operations.moderate(models, { image, categories: ['Explicit'] }, manifestData);
    else await operations.describe(models, { image, faces: 'all' }, manifestData);
  }

  if (!observed.ranges.flat().every(Number.isFinite)) {
    throw new Error(`None of the images made ${id} run: it needs images of what it detects`);
  }

  const path = join(catalogueFolder, `${id}.json`);
  const rounded = observed.ranges.map((range) => range.map((value) => Number(value.toPrecision(5))));
  const quantization = {
    source: `inputs from the pipeline on ${images.length} images`,
    ...(manifest.quantization?.operations && { operations: manifest.quantization.operations }),
    ranges: rounded,
  };
  const json: object = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, `${JSON.stringify({ ...json, quantization }, null, 2)}\n`);
  console.log(`${rounded.length} ranges written to ${path}; "npm run format" lays the file out`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
