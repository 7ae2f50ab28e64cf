/**
 * `npm run models -- COMMAND`: the model catalogue on the command line. Each command loads compiler and pipeline on demand,
 * because they take longer to load than most commands take.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compiledPath } from '../catalogue/compiled-path';
import { type ModelManifest, manifestText, readModels } from '../catalogue/manifest';
import { defaultModelCache, fromRepository } from '../catalogue/paths';
import { readRecipes } from '../catalogue/recipe';
import { columns } from './columns';
import { listingOf, table } from './listing';
import { progressOf } from './progress';
import { typedPath } from './typed-path';
import { UsageError } from './usage-error';

const cache = process.env.MODELS_CACHE ?? defaultModelCache;
const ownFolder = process.env.MODELS_FOLDER ? fromRepository(process.env.MODELS_FOLDER) : undefined;
const mirror = process.env.MODELS_MIRROR || undefined;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  json: flag,
  write: flag,
  fallback: flag,
  recipe: text,
  id: text,
  license: text,
  'training-data': text,
  'accept-license': flag,
  sha256: text,
  people: text,
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

interface Command {
  readonly options: readonly (keyof typeof options)[];
  /** @returns whether it found everything in order. */
  readonly run: (args: readonly string[], values: Values) => Promise<boolean>;
}

const commands: Readonly<Record<string, Command>> = {
  list: { options: ['json'], run: list },
  compile: { options: ['fallback'], run: compile },
  verify: { options: ['json'], run: verify },
  calibrate: { options: ['json', 'write'], run: calibrate },
  add: {
    options: ['recipe', 'id', 'license', 'training-data', 'accept-license', 'sha256', 'people'],
    run: add,
  },
};

const help = async () => `Usage: npm run models -- COMMAND

  list [MODEL ...] [--json]        task, source, hash, license and training data
  compile [MODEL ...] [--fallback] fetches what is missing and compiles what changed;
                                   --fallback takes the fallback of a model that cannot be fetched
  verify [MODEL ...] [--json]      compares compiled models with their originals
  calibrate MODEL FOLDER [--write] [--json]
                                   fits thresholds to images, FOLDER/PERSON/IMAGE
  add FILE|URL --recipe RECIPE --id ID --license TEXT --training-data TEXT
                                   adds your own ONNX model to MODELS_FOLDER
      --people FOLDER              calibrates it with images, FOLDER/PERSON/IMAGE
      --sha256 HASH                refuses a file with another hash
      --accept-license             asks nothing, for scripts

Recipes:
${columns((await readRecipes()).map(({ id, description }) => [`  ${id}`, description])).join('\n')}

MODELS_FOLDER names the folder of your own models; a relative path begins at the repository. MODELS_MIRROR names a folder
or an https address that holds the files of built-in models, in place of the addresses of their authors. Example:

  export MODELS_FOLDER=~/models
  npm run models -- add scrfd_2.5g.onnx --recipe scrfd --id scrfd \\
    --license "what its authors say" --training-data "WIDER FACE, for research"
  INFERENCE_MODELS=thorough=scrfd npm start`;

/** @throws UsageError that lists the known models. */
async function modelsNamed(ids: readonly string[]): Promise<ModelManifest[]> {
  const catalogue = await readModels(ownFolder);
  const unknown = ids.filter((id) => !catalogue.some((manifest) => manifest.id === id));
  if (unknown.length === 0)
    return ids.map((id) => catalogue.find((manifest) => manifest.id === id) as ModelManifest);
  throw new UsageError(
    `Unknown model ${unknown.join(', ')}. Known: ${catalogue.map(({ id }) => id).join(', ')}`,
  );
}

/** The named models, or all of them without a name. */
const chosen = (ids: readonly string[]) => (ids.length > 0 ? modelsNamed(ids) : readModels(ownFolder));

async function list(ids: readonly string[], { json }: Values): Promise<boolean> {
  const listings = await Promise.all((await chosen(ids)).map((manifest) => listingOf(manifest, cache)));
  console.log(json ? JSON.stringify(listings, null, 2) : table(listings).join('\n'));
  return true;
}

async function compile(ids: readonly string[], { fallback }: Values): Promise<boolean> {
  const manifests = await chosen(ids);
  const { compileModels } = await import('./compile.js');
  const folders = { cache, ownFolder, mirror };
  const complete = await compileModels(manifests, folders, { withFallbacks: fallback === true });
  // Without a name, the command compiles whatever it can.
  return complete || ids.length === 0;
}

async function verify(ids: readonly string[], { json }: Values): Promise<boolean> {
  const results = [];
  const manifests = await chosen(ids);
  const { ensureCompiled } = await import('../compiler/compile.js');
  const { verifyModel } = await import('../compiler/verify.js');
  for (const manifest of manifests) {
    await ensureCompiled(manifest, cache, { mirror, onProgress: progressOf(manifest.id) });
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

async function calibrate([id, folder, ...others]: readonly string[], { json, write }: Values) {
  if (id === undefined || folder === undefined || others.length > 0) {
    throw new UsageError('Name a model and a folder: npm run models -- calibrate MODEL FOLDER');
  }
  const [manifest] = (await modelsNamed([id])) as [ModelManifest];
  const { calibrateModel, writeCalibration } = await import('./calibrate.js');
  const measured = await calibrateModel({ manifest, cache, people: typedPath(folder) });
  const { calibration } = measured;
  if (json) console.log(JSON.stringify(measured));
  else if (!write) console.log(manifestText({ calibration }));
  if (!write) return true;
  const path = join(manifest.folder, `${id}.json`);
  await writeCalibration(path, calibration);
  console.error(`${path} has the calibration. INFERENCE_MODELS=embedding=${id} uses it.`);
  return true;
}

async function add(sources: readonly string[], values: Values): Promise<boolean> {
  const { add, askOnTerminal } = await import('./add.js');
  await add(sources, values, {
    // The folder may not exist yet.
    catalogue: await readModels(ownFolder !== undefined && existsSync(ownFolder) ? ownFolder : undefined),
    folder: ownFolder,
    cache,
    resolvePath: typedPath,
    ask: process.stdin.isTTY ? askOnTerminal : undefined,
  });
  return true;
}

async function main([name = '', ...args]: string[]): Promise<number> {
  process.env.ORT_DISABLE_TELEMETRY ??= '1'; // main.ts of the tier does the same
  if ([name, ...args].some((arg) => arg === '--help' || arg === '-h')) {
    console.log(await help());
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(await help());
  const { values, positionals } = parse(args, command);
  return (await command.run(positionals, values)) ? 0 : 1;
}

function parse(args: string[], command: Command) {
  const allowed = Object.fromEntries(command.options.map((option) => [option, options[option]]));
  try {
    const parsed = parseArgs({ args, options: allowed, allowPositionals: true });
    return { values: parsed.values as Values, positionals: parsed.positionals };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n"npm run models -- --help" lists the options`);
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(error.message);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
