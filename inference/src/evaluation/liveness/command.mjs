/**
 * `npm run evaluate:liveness -- FOLDER`: error rates of the liveness check on an operator's own recordings.
 * `npm run evaluate:liveness -- record FOLDER`: a local page that makes such recordings.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { watchSignals } from '../../../../gateway/harness/cli/interruption.mjs';
import { checkNode } from '../../../../gateway/harness/cli/node-version.mjs';
import { readSettings } from '../../../../gateway/harness/cli/settings.mjs';
import { runMain } from '../../../../gateway/harness/cli/stop.mjs';
import { setup } from '../../../../gateway/harness/setup/setup.mjs';

const DEFAULT_PORT = '8095';

const USAGE = `npm run evaluate:liveness -- FOLDER [--recipe NAME] [--policy standard|strict] [--out FOLDER]
npm run evaluate:liveness -- record FOLDER --keeper "NAME, ADDRESS" [--port NUMBER]

FOLDER     has the recordings and recordings.csv or recordings.json, which labels them
--recipe   takes the labels from the layout of a public set: oulu-npu, celeba-spoof, wmca or faceforensics++
--policy   the policy of the verdict (standard)
--out      folder of report.html, report.json and results.jsonl (FOLDER/evaluation)
record     starts a page on this machine that records people after they consent
--keeper   who keeps the recordings, with an address for questions; the page shows it
--port     of that page (${DEFAULT_PORT})

Exit status: 0 evaluated, 1 failed, 2 wrong arguments or manifest, 3 evaluated except for recordings that cannot be read.`;

/** A relative path starts where the command was typed, not where npm runs it. @param {string} path */
const typedPath = (path) => resolve(process.env.INIT_CWD ?? '.', path);

// The class InputError of the kit is part of the build, which this command makes first.
const inputError = (/** @type {string} */ message) =>
  Object.assign(new Error(message), { name: 'InputError' });

/** @param {unknown} error @returns {error is Error} */
const isInputError = (error) => error instanceof Error && error.name === 'InputError';

runMain(async () => {
  checkNode();
  try {
    return await run(process.argv.slice(2));
  } catch (error) {
    if (!isInputError(error)) throw error;
    console.error(error.message);
    return 2;
  }
});

/** @param {string[]} args @returns {Promise<number>} */
async function run(args) {
  const { values, positionals } = parse(args);
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const isRecording = positionals[0] === 'record';
  const [name, ...rest] = isRecording ? positionals.slice(1) : positionals;
  if (name === undefined || rest.length > 0) throw inputError(USAGE);
  const folder = typedPath(name);
  if (isRecording) checkRecording(values);
  else if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw inputError(`${folder} is not a folder.`);
  const { abort } = watchSignals();
  await prepare(abort);
  if (isRecording) return record(folder, values, abort);
  abort.addEventListener('abort', () => process.exit(130)); // listeners of `exit` end the tier
  return evaluateFolder(folder, values);
}

/** @param {{ keeper?: string, port?: string }} options @throws InputError */
function checkRecording({ keeper, port = DEFAULT_PORT }) {
  if (!keeper?.trim())
    throw inputError(`--keeper is missing: people must know who keeps their recordings.\n\n${USAGE}`);
  if (!/^\d{1,5}$/.test(port)) throw inputError(`--port takes a number, not "${port}".`);
}

/** The options. @typedef {Partial<Record<'recipe' | 'policy' | 'out' | 'keeper' | 'port', string>> & { help?: boolean }} Values */

/**
 * @param {string[]} args
 * @returns {{ positionals: string[], values: Values }}
 * @throws InputError
 */
function parse(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  const help = /** @type {const} */ ({ type: 'boolean', short: 'h' });
  const options = { recipe: text, policy: text, out: text, keeper: text, port: text, help };
  try {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
    return { positionals, values: /** @type {Values} */ (values) };
  } catch (error) {
    throw inputError(`${/** @type {Error} */ (error).message}\n\n${USAGE}`);
  }
}

/** Installs packages, compiles code and models. @param {AbortSignal} abort */
function prepare(abort) {
  const settings = readSettings(process.env);
  // The set-up installs Redis if there is no address, and this command does not use it.
  return setup({ settings: { ...settings, redisUrl: settings.redisUrl ?? 'unused' }, abort, site: false });
}

/** @param {string} folder @param {{ recipe?: string, policy?: string, out?: string }} options */
async function evaluateFolder(folder, { recipe, policy: level = 'standard', out: outName }) {
  // These modules need the packages and builds that the set-up provides.
  const [{ readManifest }, { applyRecipe }, { verdictUnder }, { evaluate, partsOf }, { renderPage }, tiers] =
    await Promise.all([
      import('./manifest.mjs'),
      import('./recipes.mjs'),
      import('./product.mjs'),
      import('./evaluate.mjs'),
      import('./page.mjs'),
      import('./tier.mjs'),
    ]);
  const { conditionsOf } = await import('./conditions.mjs');
  const recordings = recipe === undefined ? readManifest(folder) : applyRecipe(recipe, folder);
  const { policy, judge } = verdictUnder(level);
  const out = outName === undefined ? join(folder, 'evaluation') : typedPath(outName);
  console.log(`${recordings.length} recordings`);
  const report = await tiers.withTier((tier) =>
    evaluate({
      folder,
      out,
      recordings,
      conditions: conditionsOf(tier.readyLine, policy),
      parts: { ...partsOf(tier.client), judge },
      concurrency: availableParallelism() + 1,
      log: console.log,
    }),
  );
  mkdirSync(out, { recursive: true });
  const page = join(out, 'report.html');
  writeFileSync(join(out, 'report.json'), `${JSON.stringify(report, null, 1)}\n`, { mode: 0o600 });
  writeFileSync(page, renderPage(report), { mode: 0o600 });
  console.log(`Report: ${page}`);
  if (report.failures.length === 0) return 0;
  console.log(`Recordings that could not be read: ${report.failures.length}. The report names them.`);
  return 3;
}

/** @param {string} folder @param {{ keeper?: string, port?: string }} options @param {AbortSignal} abort */
async function record(folder, { keeper = '', port = DEFAULT_PORT }, abort) {
  const [{ startRecorder }, { withTier }, { partsOf }] = await Promise.all([
    import('./recorder.mjs'),
    import('./tier.mjs'),
    import('./evaluate.mjs'),
  ]);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await withTier(async ({ client }) => {
    const { findFaces } = partsOf(client);
    const recorder = await startRecorder({ folder, keeper: keeper.trim(), port: Number(port), findFaces });
    console.log(`Open ${recorder.url} in a browser on this machine. Ctrl-C ends it.`);
    await new Promise((done) => abort.addEventListener('abort', done, { once: true }));
    await recorder.stop();
  });
  console.log(`Recordings: ${folder}. Evaluate them with npm run evaluate:liveness -- ${folder}`);
  return 0;
}
