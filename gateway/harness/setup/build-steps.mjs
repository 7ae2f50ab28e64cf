// The steps of the build. A step runs only if its inputs have changed since its last success.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { GATSBY, MODELS_CLI, ROOT, TYPESCRIPT } from '../cli/paths.mjs';
import { Stop } from '../cli/stop.mjs';
import { run } from './run.mjs';
import { contentHash, damagedFile, filesBelow, readStamp, UNFINISHED, writeStamp } from './stamps.mjs';

/**
 * @typedef {object} BuildStep
 * @property {string} title
 * @property {import('./stamps.mjs').Input[]} inputs
 * @property {string[]} outputs absolute folders
 * @property {(root: string) => void} [prepare] runs before the command; throws a Stop if the command cannot succeed here
 * @property {string[]} [remains] absolute paths of caches that describe outputs as complete; deleted if the outputs are not
 * @property {string[]} command arguments of node
 * @property {string} [cwd]
 * @property {Record<string, string>} [env]
 * @property {RegExp} [lasting] lines of the command that stay on the terminal
 * @property {boolean} [ofSite] true if the API does not need it
 */

const LOCKFILE = { path: 'package-lock.json' };
/** Leaves out the client libraries that tests build, or a test would make the site look out of date to the next one. */
const CONTRACT = { path: 'gateway/contract', ending: '.json', skip: ['build'] };

const TIERS = ['inference', 'gateway'];

/** @type {BuildStep} */
export const codeStep = {
  title: 'compiling TypeScript',
  inputs: [
    LOCKFILE,
    { path: 'tsconfig.json' },
    { path: 'tsconfig.base.json' },
    ...TIERS.flatMap((tier) => [
      { path: `${tier}/src` },
      { path: `${tier}/tsconfig.json` },
      { path: `${tier}/package.json` },
    ]),
    CONTRACT,
  ],
  outputs: TIERS.map((tier) => join(ROOT, tier, 'dist')),
  prepare: removeOrphans,
  remains: TIERS.map((tier) => join(ROOT, tier, 'dist/.tsbuildinfo')),
  command: [TYPESCRIPT, '-b'],
};

/**
 * Removes the outputs of sources that were moved or deleted. TypeScript leaves them, and Node loads `errors.js` rather than
 * `errors/index.js`.
 * @param {string} root
 */
export function removeOrphans(root) {
  for (const tier of TIERS) {
    const dist = join(root, tier, 'dist');
    if (!existsSync(dist)) continue;
    for (const file of readdirSync(dist, { encoding: 'utf8', recursive: true })) {
      if (!file.endsWith('.js')) continue;
      const name = file.slice(0, -'.js'.length);
      if (existsSync(join(root, tier, 'src', `${name}.ts`))) continue;
      for (const ending of ['.js', '.js.map', '.d.ts', '.d.ts.map'])
        rmSync(join(dist, name + ending), { force: true });
    }
  }
}

/**
 * Gatsby writes the path into JavaScript between apostrophes, and webpack takes an exclamation mark for its own syntax.
 * @param {string} root
 * @throws {Stop}
 */
export function checkSitePath(root) {
  const [character] = /['!]/.exec(root) ?? [];
  if (character === undefined) return;
  throw new Stop(
    `The site cannot be built in ${root}, because Gatsby does not support the character ${character} in a path: move the checkout to a folder without it.`,
  );
}

/**
 * @param {Pick<import('../cli/settings.mjs').Settings, 'modelsCache' | 'modelsFolder' | 'modelsMirror' | 'siteUrl' | 'analyticsUrl' |
 * 'repositoryUrl'>}
 * settings
 * @returns {BuildStep[]} in the order in which they run: the model compiler is itself an output of the first
 */
export function buildSteps({
  modelsCache,
  modelsFolder,
  modelsMirror,
  siteUrl,
  analyticsUrl,
  repositoryUrl,
}) {
  return [
    codeStep,
    {
      title: 'compiling models',
      inputs: [
        LOCKFILE,
        { path: 'inference/models', ending: '.json' },
        ...['compiler', 'originals', 'onnx-format', 'catalogue'].map((folder) => ({
          path: `inference/dist/${folder}`,
          ending: '.js',
        })),
        // A manifest holds the hash of its weights, so that they need not be read.
        ...(modelsFolder ? [{ path: relative(ROOT, modelsFolder), ending: '.json' }] : []),
      ],
      outputs: [modelsCache],
      command: [MODELS_CLI, 'compile'],
      // The service starts without it, and the line has the remedy.
      lasting: / is missing, because /,
      env: {
        MODELS_CACHE: modelsCache,
        ...(modelsFolder ? { MODELS_FOLDER: modelsFolder } : {}),
        // Another mirror may have what the last one lacked.
        ...(modelsMirror ? { MODELS_MIRROR: modelsMirror } : {}),
      },
    },
    {
      title: 'bundling the web component',
      ofSite: true,
      inputs: [
        LOCKFILE,
        { path: 'tsconfig.base.json' },
        { path: 'web/component', skip: ['dist'] },
        { path: 'web/content/verify' },
        CONTRACT,
      ],
      outputs: [join(ROOT, 'web/component/dist')],
      command: [join(ROOT, 'web/component/build.mjs')],
    },
    {
      title: 'building the site',
      ofSite: true,
      inputs: [
        LOCKFILE,
        // The tests and the server of the site do not change the built site.
        {
          path: 'web',
          skip: [
            'node_modules',
            '.cache',
            'public',
            'dist',
            'test',
            'screens.mjs',
            'serve.mjs',
            'serve.test.ts',
            'policies.mjs',
            'static-files.mjs',
            'redirects.mjs',
          ],
        },
        CONTRACT,
        // The documentation quotes their code.
        { path: 'gateway/contract/apps' },
        { path: 'gateway/contract/receivers' },
        // The site offers them as downloads.
        { path: 'gateway/contract/client' },
        { path: 'gateway/contract/clients', skip: ['build', 'failures', 'matrix'] },
        { path: 'LICENSE' },
        { path: 'benchmarks/results', ending: '.json' },
        { path: 'CHANGELOG.md' },
        // The demos show results of the inference tier.
        { path: 'inference/dist', ending: '.js' },
        // The documentation shows the models and the environment variables.
        { path: 'inference/models', ending: '.json' },
        { path: 'inference/src', ending: '.json' },
      ],
      outputs: [join(ROOT, 'web/public')],
      prepare: checkSitePath,
      remains: [join(ROOT, 'web/.cache')],
      command: [GATSBY, 'build'],
      cwd: join(ROOT, 'web'),
      // CI makes Gatsby print lines instead of a spinner.
      env: {
        GATSBY_TELEMETRY_DISABLED: '1',
        CI: 'true',
        NODE_ENV: 'production',
        SITE_URL: siteUrl,
        MODELS_CACHE: modelsCache,
        ...(analyticsUrl ? { ANALYTICS_URL: analyticsUrl } : {}),
        ...(repositoryUrl ? { REPOSITORY_URL: repositoryUrl } : {}),
      },
    },
  ];
}

/**
 * @param {BuildStep} build
 * @param {object} means
 * @param {import('../cli/progress.mjs').Step} means.step
 * @param {(line: string) => void} means.say
 * @param {AbortSignal} means.abort
 * @param {string} [means.root] folder of the inputs
 */
export async function runBuildStep(build, { step, say, abort, root = ROOT }) {
  const { title, inputs, outputs, prepare, remains = [], command, lasting, cwd = ROOT, env = {} } = build;
  // The variables of a step are inputs, too: SITE_URL changes the site.
  const stamp = contentHash(root, inputs, Object.values(env));
  const stamps = outputs.map(readStamp);
  const [damaged] = outputs.flatMap((folder) => {
    const file = damagedFile(folder, stamp);
    return file === undefined ? [] : [join(folder, file)];
  });
  if (damaged === undefined && stamps.every((recorded) => recorded === stamp)) return;

  prepare?.(root);
  const reason = damaged === undefined ? 'the last run did not finish' : `${damaged} is missing or damaged`;
  if (damaged !== undefined || stamps.includes(UNFINISHED)) {
    say(`${title}: ${reason}, so it runs again`);
    for (const path of remains) rmSync(path, { recursive: true, force: true });
  }
  // First, so that an interrupted or failed build does not look up to date.
  for (const folder of outputs) writeStamp(folder, UNFINISHED);
  await step(title, (show) => {
    const onLine = (/** @type {string} */ line) => (lasting?.test(line) ? say(line) : show(line));
    return run(process.execPath, command, { abort, cwd, env, onLine });
  });
  for (const folder of outputs) writeStamp(folder, stamp, filesBelow(folder));
}
