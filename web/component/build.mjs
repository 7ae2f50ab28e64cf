/**
 * Writes the npm package into `dist`: one module with English, a module per further language, type declarations, the
 * style sheet, and the licenses of bundled packages. `npm publish -w web/component` publishes it. The folder
 * `dist/hosted`, which is not published, has the module of the hosted page.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import webpack from 'webpack';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = join(folder, 'dist');
const modules = join(dist, 'modules');
const source = join(folder, 'src');
const content = join(folder, '../content/verify');

/** The declarations that users of the package see. */
const PUBLIC_TYPES = ['index', 'element', 'events', 'texts'];

rmSync(dist, { recursive: true, force: true });
compile();
writeTexts();
writeLicenses(await bundle(dist, 'eager'));
await bundle(join(dist, 'hosted'), 'lazy');
for (const name of PUBLIC_TYPES) copyTypes(name);
rmSync(modules, { recursive: true });

function compile() {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
  execFileSync(process.execPath, [join(typescript, '../bin/tsc'), '--project', folder], { stdio: 'inherit' });
  const css = readFileSync(join(source, 'liveness.css'), 'utf8');
  const short = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':');
  for (const target of [modules, dist]) writeFileSync(join(target, 'liveness.css'), short.trim());
}

/** Writes a module per language, and the one that is part of the bundle. */
function writeTexts() {
  mkdirSync(join(dist, 'words'));
  const all = readdirSync(content).map((file) => readTexts(join(content, file)));
  for (const texts of all)
    writeFileSync(join(dist, 'words', `${texts.locale}.js`), `export default ${JSON.stringify(texts)};\n`);
  const bundled = {
    ENGLISH: all.find(({ locale }) => locale === 'en'),
    LOCALES: all.map(({ locale }) => locale),
  };
  const lines = Object.entries(bundled).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`,
  );
  writeFileSync(join(modules, 'package-texts.js'), lines.join(''));
}

/** Reads the texts and fills in the constants of the contract, without the texts that only the site shows. @param {string} file */
function readTexts(file) {
  const contract = createRequire(import.meta.url);
  const { name: brand } = contract('@presenza/contract/brand.json');
  const { liveness, webhooks } = contract('@presenza/contract/limits.json');
  const { from, to } = liveness.typicalDurationSeconds;
  const { ledgerDays } = liveness;
  const deliveryDays = webhooks.logRetentionSeconds / 86_400;
  const { noScript: _, ...texts } = JSON.parse(readFileSync(file, 'utf8'));
  /** @type {Record<string, string>} */
  const values = { brand };
  for (const [key, value] of Object.entries({ from, to, deliveryDays, ledgerDays }))
    values[key] = value.toLocaleString(texts.locale);
  const text = JSON.stringify(texts);
  return JSON.parse(text.replace(/\{(\w+)\}/g, (placeholder, key) => values[key] ?? placeholder));
}

/**
 * The hosted page loads what only later views need on demand. The package is one module: bundlers of applications do not
 * find the files that webpack would load on demand.
 * @param {string} path
 * @param {'eager' | 'lazy'} dynamicImportMode
 */
async function bundle(path, dynamicImportMode) {
  /** @type {import('webpack').Configuration} */
  const configuration = {
    mode: 'production',
    target: ['web', 'es2019'],
    context: modules,
    entry: './index.js',
    experiments: { outputModule: true },
    output: {
      path,
      filename: 'index.js',
      chunkFilename: '[name].js',
      chunkFormat: 'module',
      chunkLoading: 'import',
      library: { type: 'module' },
    },
    module: {
      parser: { javascript: { dynamicImportMode } },
      rules: [
        { test: /\.js$/, resolve: { fullySpecified: false } },
        { test: /\.css$/, type: 'asset/source' },
      ],
    },
  };
  const compiler = webpack(configuration);
  const stats = await promisify(compiler.run.bind(compiler))();
  if (!stats || stats.hasErrors())
    throw new Error(stats?.toString({ all: false, errors: true }).slice(0, 2000));
  return stats;
}

/** Copies of these packages must include their license text. @param {import('webpack').Stats} stats */
function writeLicenses({ compilation }) {
  const files = [...compilation.fileDependencies];
  const folders = new Set(
    files.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  const licenses = [...folders].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8')}`;
  });
  writeFileSync(join(dist, 'licenses.txt'), licenses.join('\n'));
}

/** Older compilers accept only imports with an extension. @param {string} name */
function copyTypes(name) {
  const text = readFileSync(join(modules, `${name}.d.ts`), 'utf8');
  writeFileSync(join(dist, `${name}.d.ts`), text.replace(/(from '\.\/[\w-]+)';/g, "$1.js';"));
}
