// The generators and the libraries of their clients, each in a fixed version. They are installed once, outside the
// packages of the repository, into `.data/clients/tools`.

import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHECKOUT_STATE } from '../../../harness/cli/paths.mjs';
import { Stop } from '../../../harness/cli/stop.mjs';
import { npm } from '../../../harness/setup/npm.mjs';
import { run } from '../../../harness/setup/run.mjs';
import { readStamp, writeStamp } from '../../../harness/setup/stamps.mjs';
import { STRIPE_MOCK, STRIPE_MOCK_MODULE } from './stripe-mock.mjs';

/** @typedef {import('../../../harness/cli/progress.mjs').Step} Step */
/** @typedef {{ step: Step, abort: AbortSignal }} Running */

export const MATRIX = fileURLToPath(new URL('.', import.meta.url));
export const WORK = join(CHECKOUT_STATE, 'clients');
const TOOLS = join(WORK, 'tools');
const NPM = join(TOOLS, 'npm');
const PYTHON = join(TOOLS, 'python');
const GO = join(TOOLS, 'go');
const JARS = join(TOOLS, 'jars');

const MAVEN = 'https://repo1.maven.org/maven2';
const GENERATOR = [
  'org/openapitools/openapi-generator-cli/7.14.0/openapi-generator-cli-7.14.0.jar',
  'e03186835022ca02da4aa95e3967b6a3b6d44c2e5f7606e6d5c22466f519c757',
];
/** Dependencies of a Java client, in the versions of the build file that openapi-generator writes. */
const LIBRARIES = [
  [
    'com/fasterxml/jackson/core/jackson-annotations/2.17.1/jackson-annotations-2.17.1.jar',
    'fccad82e13172c0e4384db71577219c9b8631c0820f4b18daaa57016fb661c76',
  ],
  [
    'com/fasterxml/jackson/core/jackson-core/2.17.1/jackson-core-2.17.1.jar',
    'ddb26c8a1f1a84535e8213c48b35b253370434e3287b3cf15777856fc4e58ce6',
  ],
  [
    'com/fasterxml/jackson/core/jackson-databind/2.17.1/jackson-databind-2.17.1.jar',
    'b6ca2f7d5b1ab245cec5495ec339773d2d90554c48592590673fb18f4400a948',
  ],
  [
    'com/fasterxml/jackson/datatype/jackson-datatype-jsr310/2.17.1/jackson-datatype-jsr310-2.17.1.jar',
    '56765d55ac8cffdd757c1a534ec965e70b01176f64dfd7e70b0db34d8babc9fa',
  ],
  [
    'com/google/code/findbugs/jsr305/3.0.2/jsr305-3.0.2.jar',
    '766ad2a0783f2687962c8ad74ceecc38a28b9f72a2d085ee438b7813e928d0c7',
  ],
  [
    'jakarta/annotation/jakarta.annotation-api/1.3.5/jakarta.annotation-api-1.3.5.jar',
    '85fb03fc054cdf4efca8efd9b6712bbb418e1ab98241c4539c8585bbc23e1b8a',
  ],
];

export const OPENAPI_GENERATOR = join(JARS, basename(/** @type {string} */ (GENERATOR[0])));
export const JAVA_LIBRARIES = join(JARS, 'libraries');
export const OAPI_CODEGEN = join(GO, 'oapi-codegen');
const OAPI_CODEGEN_MODULE = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
export const NODE_MODULES = join(NPM, 'node_modules');

/** @param {string} name of a program of the Python packages */
export const python = (name) => join(PYTHON, 'bin', name);
/** @param {string} name of a program of the npm packages */
export const npmProgram = (name) => join(NODE_MODULES, '.bin', name);

/** Installs openapi-typescript and Spectral. @param {Running} running */
export async function installNpmTools({ step, abort }) {
  mkdirSync(NPM, { recursive: true });
  await once(NPM, ['npm/package.json', 'npm/package-lock.json'], () =>
    step('installing openapi-typescript and Spectral', async () => {
      for (const file of ['package.json', 'package-lock.json'])
        copyFileSync(join(MATRIX, 'npm', file), join(NPM, file));
      await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { abort, cwd: NPM });
    }),
  );
}

/** @param {Running} running */
export async function installTools(running) {
  const { step, abort } = running;
  for (const folder of [GO, JAVA_LIBRARIES]) mkdirSync(folder, { recursive: true });
  await step('installing openapi-generator', async () => {
    await download(GENERATOR, JARS, abort);
    for (const library of LIBRARIES) await download(library, JAVA_LIBRARIES, abort);
  });
  await installNpmTools(running);
  await once(PYTHON, ['requirements.txt'], () =>
    step('installing openapi-python-client and schemathesis', async () => {
      await run('python3', ['-m', 'venv', '--clear', PYTHON], { abort, remedy: 'Install python3-venv.' });
      await run(python('pip'), ['install', '--quiet', '-r', join(MATRIX, 'requirements.txt')], { abort });
    }),
  );
  for (const { program, module } of [
    { program: OAPI_CODEGEN, module: OAPI_CODEGEN_MODULE },
    { program: STRIPE_MOCK, module: STRIPE_MOCK_MODULE },
  ]) {
    if (existsSync(program)) continue;
    await step(`installing ${basename(program)}`, () =>
      run('go', ['install', module], { abort, env: { GOBIN: GO }, remedy: 'Install Go.' }),
    );
  }
}

/**
 * @param {string[]} artifact path in Maven Central, and SHA-256
 * @param {string} folder @param {AbortSignal} abort
 */
async function download([path = '', sha256], folder, abort) {
  const file = join(folder, basename(path));
  if (existsSync(file) && hashOf(readFileSync(file)) === sha256) return;
  const response = await fetch(`${MAVEN}/${path}`, { signal: abort });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (hashOf(bytes) !== sha256)
    throw new Stop(`${MAVEN}/${path} is not the pinned file (${response.status}).`);
  writeFileSync(file, bytes);
}

/** Installs into a folder, unless it has what the files describe. @param {string} folder @param {string[]} files @param {() => Promise<void>} install */
async function once(folder, files, install) {
  const stamp = hashOf(Buffer.concat(files.map((file) => readFileSync(join(MATRIX, file)))));
  if (readStamp(folder) === stamp) return;
  await install();
  writeStamp(folder, stamp);
}

/** @param {Buffer} bytes */
const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
