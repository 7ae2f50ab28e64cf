/** `npm run models -- list | compile | verify | calibrate`: the model catalogue on the command line. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { MeasuredRate } from '../calibration/calibrate';
import { compiledPath } from '../catalogue/compiled-path';
import { fusionPath, isFusion, partsOf, readFusion } from '../catalogue/fusion';
import { catalogueFolder, isOnnx, type ModelManifest, readModels } from '../catalogue/manifest';
import { defaultModelCache, ownModelsFolder } from '../catalogue/paths';
import { precisionsOf } from '../catalogue/precision';
import { archivedFiles, isArchived } from '../originals/registry-archive';
import { columns } from './columns';
import { ensureCompiled } from './compile';
import type { Progress } from './download';
import { listingOf, table } from './listing';
import { verifyModel } from './verify';

const usage = `Usage: npm run models -- list | compile | verify [MODEL ...] [--json]
       npm run models -- calibrate MODEL[+MODEL...] FOLDER [--write] [--json]
                       with FOLDER/PERSON/IMAGE

MODELS_FOLDER names a folder of your own manifests; a relative path begins at the repository.`;

const cache = process.env.MODELS_CACHE ?? defaultModelCache;
const ownFolder = process.env.MODELS_FOLDER ? ownModelsFolder(process.env.MODELS_FOLDER) : undefined;

/** A server with this setting needs the models in 16-bit floats. */
const wanted = process.env.INFERENCE_PRECISION === 'float16' ? 'float16' : undefined;

/** A server with this setting also needs the graph of the near path. */
const onGpu = ['cuda', 'webgpu'].includes(process.env.INFERENCE_DEVICE ?? '');

type Command = (manifests: ModelManifest[], json: boolean) => Promise<boolean>;

const commands: Record<string, Command> = { list, compile, verify };

async function list(manifests: ModelManifest[], json: boolean): Promise<boolean> {
  const listings = await Promise.all(manifests.map((manifest) => listingOf(manifest, cache)));
  console.log(json ? JSON.stringify(listings, null, 2) : table(listings).join('\n'));
  return true;
}

async function compile(manifests: ModelManifest[]): Promise<boolean> {
  // npm downloads in a process of its own while other models are compiled.
  const archived = manifests.filter((manifest) => startDownload(manifest));
  const others = manifests.filter((manifest) => !archived.includes(manifest));
  for (const manifest of [...others, ...archived]) {
    const start = performance.now();
    const worked = await ensureCompiled(manifest, cache, { wanted, onProgress: progressOf(manifest.id) });
    console.log(
      worked
        ? `${manifest.id} compiled in ${((performance.now() - start) / 1e3).toFixed(1)} s`
        : `${manifest.id} is up to date`,
    );
  }
  const nearPath = onGpu ? await compileNearPath() : undefined;
  if (cache === defaultModelCache) await removeStale(nearPath);
  return true;
}

/**
 * Compiles the graph of the near path for the models that serve with the settings of this process.
 * @returns its path, if the models support it.
 */
async function compileNearPath(): Promise<string | undefined> {
  // Loaded on demand, because only servers with a GPU need it.
  const { findServingModels } =
    require('../serving/serving-models') as typeof import('../serving/serving-models');
  const { parseChosenModels } = require('../serving/model-roles') as typeof import('../serving/model-roles');
  const { ensureNearPath } = require('./near-path-file') as typeof import('./near-path-file');
  const served = await findServingModels(cache, {
    folder: ownFolder,
    chosen: parseChosenModels(process.env.INFERENCE_MODELS ?? ''),
    ...(wanted && { precision: wanted }),
  }).catch((error: Error) => error);
  if (served instanceof Error) {
    // With a part of the models, there is nothing to join yet.
    console.log(`near-path not compiled: ${served.message}`);
    return undefined;
  }
  const path = await ensureNearPath(served, await readModels(ownFolder), cache);
  console.log(path ? 'near-path is up to date' : 'near-path does not support the chosen models');
  return path;
}

/**
 * Starts to download the archive of a model that is not compiled yet. Its compilation waits for the same download.
 * @returns whether the model's package is not installed.
 */
function startDownload(manifest: ModelManifest): boolean {
  if (isOnnx(manifest) || !isArchived(manifest.source)) return false;
  const missing = precisionsOf(manifest, wanted).some(
    (one) => !existsSync(compiledPath(manifest, cache, one)),
  );
  // The compilation reports a failure.
  if (missing) archivedFiles(manifest.source, cache).catch(() => {});
  return true;
}

/** Shows a download on the terminal; in a log, one line for every tenth of it. */
function progressOf(id: string): Progress {
  let shown = -1;
  return (received, total) => {
    const megabytes = `${(received / 1e6).toFixed(1)}${total ? ` of ${(total / 1e6).toFixed(1)}` : ''} MB`;
    // Without a total, a step is ten megabytes.
    const steps = process.stderr.isTTY ? 100 : 10;
    const step = total ? Math.floor((steps * received) / total) : Math.floor(received / 1e7);
    if (step === shown) return;
    shown = step;
    const line = `${id} downloading ${megabytes}`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line}${received === total ? '\n' : ''}`);
    else console.error(line);
  };
}

/**
 * Removes stale files of known models. Others stay, because they may be an operator's whose folder is not set now. A
 * cache given by MODELS_CACHE may be shared and stays untouched.
 */
async function removeStale(nearPath: string | undefined): Promise<void> {
  const manifests = await readModels(ownFolder);
  const current = new Set(
    manifests.flatMap((manifest) =>
      precisionsOf(manifest, 'float16').map((precision) => compiledPath(manifest, cache, precision)),
    ),
  );
  const stale = (await readdir(cache)).filter((name) => {
    if (/^near-path-[0-9a-f]{12}\.onnx$/.test(name)) return nearPath && join(cache, name) !== nearPath;
    const [, id] = name.match(/^(.+)-[^-]+-[0-9a-f]{12}(?:-(?:int8|float16))?\.onnx$/) ?? [];
    return manifests.some((manifest) => manifest.id === id) && !current.has(join(cache, name));
  });
  await Promise.all(stale.map((name) => rm(join(cache, name), { force: true })));
}

async function verify(manifests: ModelManifest[], json: boolean): Promise<boolean> {
  const results = [];
  for (const manifest of manifests) {
    await ensureCompiled(manifest, cache, { onProgress: progressOf(manifest.id) });
    const { outputs } = await verifyModel(manifest, compiledPath(manifest, cache));
    results.push(...outputs.map((output) => ({ model: manifest.id, ...output })));
  }
  if (json) console.log(JSON.stringify(results, null, 2));
  else {
    const rows = results.map(({ model, name, difference, passed }) => [
      passed ? 'equal' : 'DIFFERS',
      model,
      name,
      difference.toExponential(1),
    ]);
    console.log(columns([['', 'MODEL', 'OUTPUT', 'LARGEST DIFFERENCE'], ...rows]).join('\n'));
  }
  return results.every(({ passed }) => passed);
}

async function calibrateModel(catalogue: ModelManifest[], args: string[], json: boolean): Promise<number> {
  const write = args.includes('--write');
  const [id = '', folder] = args.filter((arg) => arg !== '--write');
  const manifests = partsOf(id).map((part) => catalogue.find((candidate) => candidate.id === part));
  if (!manifests.every((manifest) => manifest !== undefined) || folder === undefined) {
    console.error(usage);
    return 2;
  }
  // Loaded on demand, because the other commands need no pipeline.
  const { calibrate } = require('../calibration/calibrate') as typeof import('../calibration/calibrate');
  const { findServingModels } =
    require('../serving/serving-models') as typeof import('../serving/serving-models');
  for (const manifest of manifests)
    await ensureCompiled(manifest, cache, { onProgress: progressOf(manifest.id) });
  const { models } = await findServingModels(cache, { folder: ownFolder });
  const onProgress = (done: number, total: number) => {
    if (done % Math.ceil(total / 10) === 0 || done === total) console.error(`${done} of ${total} images`);
  };
  // A relative folder starts where the command was typed, not where npm runs it.
  const images = resolve(process.env.INIT_CWD ?? '.', folder);
  const fusion = isFusion(id) ? await readFusion(id, ownFolder) : undefined;
  const result = await calibrate({ manifests, fusion, finders: models, cache, folder: images, onProgress });
  console.error(
    `${result.images} faces of ${result.people} people, ${result.leftOut} images without one left out`,
  );
  console.error(columns(rateTable(result.rates)).join('\n'));
  const { calibration, weights } = result;
  const parts = weights.map((weight, i) => ({ ...fusion?.parts[i], weight }));
  const made = isFusion(id) ? { parts, calibration } : { calibration };
  if (json) console.log(JSON.stringify({ ...result, ...made }));
  else if (!write) console.log(jsonOf(made));
  if (!write) return 0;
  const [manifest] = manifests as [ModelManifest];
  const path = isFusion(id)
    ? fusionPath(id, ownFolder ?? catalogueFolder)
    : join(manifest.folder, `${id}.json`);
  await mkdir(dirname(path), { recursive: true });
  const before = await readFile(path, 'utf8').catch(() => '{}');
  await writeFile(path, `${jsonOf({ ...JSON.parse(before), ...made })}\n`);
  console.error(`${path} has the calibration. INFERENCE_MODELS=embedding=${id} uses it.`);
  return 0;
}

/** JSON with one line per point of a curve, as in the manifests. */
const jsonOf = (value: object) =>
  JSON.stringify(value, null, 2).replace(/\[\s+([-\d.e]+),\s+([-\d.e]+)\s+\]/g, '[$1, $2]');

function rateTable(rates: readonly MeasuredRate[]): string[][] {
  const number = (rate: number) => rate.toExponential(1);
  return [
    ['SIMILARITY', 'FALSE MATCHES', '95 % INTERVAL', 'FALSE NON-MATCHES'],
    ...rates.map(({ similarity, falseMatch, interval, falseNonMatch }) => [
      String(similarity),
      number(falseMatch),
      interval.map(number).join(' to '),
      falseNonMatch === undefined ? 'no two images of one person' : `${(100 * falseNonMatch).toFixed(2)} %`,
    ]),
  ];
}

async function main(args: string[]): Promise<number> {
  process.env.ORT_DISABLE_TELEMETRY ??= '1'; // as in the tier's main.ts
  const json = args.includes('--json');
  const [command = '', ...ids] = args.filter((arg) => arg !== '--json');
  if (command === 'calibrate') return calibrateModel(await readModels(ownFolder), ids, json);
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!run) {
    console.error(usage);
    return 2;
  }
  const catalogue = await readModels(ownFolder);
  const unknown = ids.filter((id) => !catalogue.some((manifest) => manifest.id === id));
  if (unknown.length > 0) {
    console.error(`Unknown model ${unknown.join(', ')}. Known: ${catalogue.map((m) => m.id).join(', ')}`);
    return 2;
  }
  const chosen = ids.length > 0 ? catalogue.filter((manifest) => ids.includes(manifest.id)) : catalogue;
  return (await run(chosen, json)) ? 0 : 1;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
