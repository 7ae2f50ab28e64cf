// `npm run test:clients`: writes a client with each generator from the document that a real service serves, compiles it, and
// runs its program against that service. The last lines are a table of generators and steps. Arguments select generators
// and checks by a part of their name: `npm run test:clients -- go spectral`.

import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchSignals } from '../../../harness/cli/interruption.mjs';
import { checkNode } from '../../../harness/cli/node-version.mjs';
import { SAMPLE_PHOTO } from '../../../harness/cli/paths.mjs';
import { progress } from '../../../harness/cli/progress.mjs';
import { readSettings } from '../../../harness/cli/settings.mjs';
import { runMain } from '../../../harness/cli/stop.mjs';
import { runToEnd, unlimited, withService } from '../../../harness/index.mjs';
import { setup } from '../../../harness/setup/setup.mjs';
import { CHECKS } from './checks.mjs';
import { GENERATORS } from './generators.mjs';
import { LIBRARIES } from './libraries.mjs';
import { installTools, MATRIX, NODE_MODULES, WORK } from './tools.mjs';

/** The calls that every program makes, in this order. */
const CALLS = ['detect', 'compare', 'moderate', 'batch', 'liveness', 'pages', 'error', 'usage'];
const STEPS = ['generate', 'compile', ...CALLS];

/** Steps that a generator passed, and the output of the step that failed. @typedef {{ name: string, passed: readonly string[], output: string }} Result */

runMain(async () => {
  checkNode();
  const { abort } = watchSignals();
  await setup({ settings: readSettings(process.env), abort, site: false });
  await installTools({ step: progress('setup'), abort });
  const names = process.argv.slice(2);
  const isSelected = (/** @type {{ name: string }} */ { name }) =>
    names.length === 0 || names.some((word) => name.includes(word));

  // Requests of schemathesis come from many addresses, as if through a proxy.
  return withService({ gatewayEnv: { GATEWAY_TRUST_PROXY: '1' } }, async (service) => {
    const { apiKey } = await service.createAccount({ plan: 'business', overrides: unlimited });
    const document = join(WORK, 'openapi.json');
    writeFileSync(document, Buffer.from(await (await fetch(`${service.url}/openapi.json`)).arrayBuffer()));
    const api = { url: `${service.url}/v1`, apiKey, document };

    /** @type {Result[]} */
    const results = [];
    for (const generator of GENERATORS.filter(isSelected)) {
      abort.throwIfAborted();
      results.push(await tryGenerator(generator, api));
    }
    const failures = results.filter(({ passed }) => passed.length < STEPS.length);
    for (const { name, passed, output } of failures)
      console.log(`\n${name}: ${STEPS[passed.length]} failed\n${output}`);
    if (results.length > 0) console.log(`\n${table(results)}`);

    let failedChecks = 0;
    for (const check of [...LIBRARIES, ...CHECKS].filter(isSelected)) {
      abort.throwIfAborted();
      const { code, stdout, stderr } = await runToEnd(...check.command(api));
      console.log(`\n${check.name}: ${code === 0 ? 'passed' : `failed\n${stdout}${stderr}`}`);
      if (code !== 0) failedChecks += 1;
    }
    return failures.length + failedChecks > 0 ? 1 : 0;
  });
});

/**
 * @param {import('./generators.mjs').Generator} generator
 * @param {{ url: string, apiKey: string, document: string }} api
 * @returns {Promise<Result>}
 */
async function tryGenerator({ name, generate, compile, program, env = {} }, { url, apiKey, document }) {
  const folder = join(WORK, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'client'), { recursive: true });
  cpSync(join(MATRIX, 'programs', name), folder, { recursive: true });
  cpSync(join(MATRIX, 'programs/tsconfig.json'), join(folder, 'tsconfig.json'));
  symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
  const variables = { ...env, API_URL: url, API_KEY: apiKey, IMAGE: SAMPLE_PHOTO };
  const run = (/** @type {readonly string[]} */ [command = '', ...args]) =>
    runToEnd(command, args, { cwd: folder, env: variables });

  /** @type {string[]} */
  const passed = [];
  const steps = { generate: [generate(document)], compile };
  for (const [step, commands] of Object.entries(steps)) {
    for (const command of commands) {
      const { code, stdout, stderr } = await run(command);
      if (code !== 0) return { name, passed, output: stdout + stderr };
    }
    passed.push(step);
  }
  const { code, stdout, stderr } = await run(program);
  const calls = stdout.split('\n').filter((line) => CALLS.includes(line));
  // A program that fails after its last call has not passed it.
  return {
    name,
    passed: [...passed, ...(code === 0 ? calls : calls.slice(0, CALLS.length - 1))],
    output: stderr,
  };
}

/** @param {readonly Result[]} results */
function table(results) {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.map(({ name, passed }) => {
    const marks = STEPS.map((step) => (passed.includes(step) ? 'ok' : 'FAILED').padEnd(step.length));
    return [name.padEnd(width), ...marks].join('  ');
  });
  return [[' '.repeat(width), ...STEPS].join('  '), ...lines].join('\n');
}
