/** `npm run models -- list | compile | verify`: the model catalogue on the command line. */
import { access, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultModelCache } from '../paths';
import { ensureCompiled } from './compile';
import { compiledPath } from './compiled-path';
import { type ModelManifest, readCatalogue } from './manifest';
import { precisionsOf } from './precision';
import { verifyModel } from './verify';

const cache = process.env.MODELS_CACHE ?? defaultModelCache;

const commands: Record<string, (manifests: ModelManifest[]) => Promise<boolean>> = { list, compile, verify };

async function list(manifests: ModelManifest[]): Promise<boolean> {
  for (const manifest of manifests) {
    const path = compiledPath(manifest, cache);
    const compiled = await access(path).then(
      () => true,
      () => false,
    );
    const size = compiled ? `${((await stat(path)).size / 1e6).toFixed(1)} MB` : 'not compiled';
    console.log(`${manifest.id}  ${manifest.task}  ${size}`);
    console.log(
      `  source    ${manifest.source.package} (${manifest.source.kind})  licence ${manifest.licence}`,
    );
    for (const file of manifest.source.files) console.log(`  sha256    ${file.sha256}  ${file.path}`);
    console.log(`  training  ${manifest.trainingData}`);
  }
  return true;
}

async function compile(manifests: ModelManifest[]): Promise<boolean> {
  for (const manifest of manifests) {
    const start = performance.now();
    const worked = await ensureCompiled(manifest, cache);
    console.log(
      worked
        ? `${manifest.id} compiled in ${((performance.now() - start) / 1e3).toFixed(1)} s`
        : `${manifest.id} is up to date`,
    );
  }
  if (cache === defaultModelCache) await removeStale();
  return true;
}

/** Removes files that no manifest asks for any more. A cache given by MODELS_CACHE may be shared and is left alone. */
async function removeStale(): Promise<void> {
  const current = new Set(
    (await readCatalogue()).flatMap((manifest) =>
      precisionsOf(manifest).map((precision) => compiledPath(manifest, cache, precision)),
    ),
  );
  const files = (await readdir(cache))
    .filter((name) => name.endsWith('.onnx'))
    .map((name) => join(cache, name));
  await Promise.all(files.filter((path) => !current.has(path)).map((path) => rm(path, { force: true })));
}

async function verify(manifests: ModelManifest[]): Promise<boolean> {
  let equal = true;
  for (const manifest of manifests) {
    await ensureCompiled(manifest, cache);
    const { outputs, passed } = await verifyModel(manifest, compiledPath(manifest, cache));
    equal &&= passed;
    for (const output of outputs) {
      console.log(
        `${passed ? 'equal ' : 'DIFFERS'} ${manifest.id}.${output.name}  largest difference ${output.difference.toExponential(1)}`,
      );
    }
  }
  return equal;
}

async function main(args: string[]): Promise<number> {
  const [command = '', ...ids] = args;
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!run) {
    console.error('Usage: npm run models -- list | compile | verify [MODEL ...]');
    return 2;
  }
  const catalogue = await readCatalogue();
  const unknown = ids.filter((id) => !catalogue.some((manifest) => manifest.id === id));
  if (unknown.length > 0) {
    console.error(`Unknown model ${unknown.join(', ')}. Known: ${catalogue.map((m) => m.id).join(', ')}`);
    return 2;
  }
  const chosen = ids.length > 0 ? catalogue.filter((manifest) => ids.includes(manifest.id)) : catalogue;
  return (await run(chosen)) ? 0 : 1;
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
