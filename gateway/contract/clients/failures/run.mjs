/**
 * Tries the failure scenarios with a program of a library. The program reads `SCENARIOS`, a JSON file with a list of
 * `{name, baseUrl, apiKey, idempotencyKey, image, retries, timeoutMs}`, where `image` is base64 and `timeoutMs` 0 for the
 * default. It prints a line of JSON for each: first `{begin}` with the name, then `{name, code, reason, status, requestId,
 * retryAfter, text}`: fields of the error that a detection throws, `retryAfter` in seconds and `text` with its causes, or
 * without `code` after a success. An error of any other type has the code OTHER. The first line is `{methods}`, the names
 * of the library's methods.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clientDocument } from '../document.mjs';
import { FailureServer } from './server.mjs';

/** @typedef {{ code: string | null, reason?: string, status?: number | null, requestId?: string, retryAfter?: number, attempts?: number }} Expected */

const SCENARIOS = JSON.parse(readFileSync(new URL('scenarios.json', import.meta.url), 'utf8'));
const API_KEY = 'presenza_test_secret';
/** The start of a JPEG, whose rest must not be in an error. */
const IMAGE = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('pixels of a person')]);

/** The image of a scenario in base64. @param {{ image?: string, imageBytes?: number }} scenario */
const imageOf = ({ image, imageBytes = 0 }) =>
  image ?? Buffer.concat([IMAGE, Buffer.alloc(imageBytes)]).toString('base64');

/**
 * @param {string} folder for the file with the scenarios
 * @param {readonly string[]} command of the program
 * @param {{ cwd?: string }} [options]
 * @returns {Promise<readonly string[]>} the faults; none if each scenario ends as expected
 */
export async function failuresOf(folder, [command = '', ...args], { cwd = folder } = {}) {
  const server = new FailureServer();
  await server.start();
  try {
    const file = join(folder, 'scenarios.json');
    const given = [];
    for (const scenario of SCENARIOS) {
      const { name, baseUrl, apiKey = API_KEY, idempotencyKey = '', retries = 3, timeoutMs = 0 } = scenario;
      const address = baseUrl ?? (await server.addressFor(scenario));
      const image = imageOf(scenario);
      given.push({ name, baseUrl: address, apiKey, idempotencyKey, image, retries, timeoutMs });
    }
    writeFileSync(file, JSON.stringify(given));
    const { lines, code } = await linesOf(command, args, { cwd, file, server });
    if (code !== 0) return [`The program ended with exit code ${code}.`];
    return [...faultsOfNames(lines), ...SCENARIOS.flatMap((scenario) => faultsOf(scenario, lines, server))];
  } finally {
    server.stop();
  }
}

async function linesOf(command, args, { cwd, file, server }) {
  const program = spawn(command, args, {
    cwd,
    env: { ...process.env, SCENARIOS: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve, reject) => program.once('close', resolve).once('error', reject));
  const lines = [];
  for await (const text of createInterface(program.stdout)) {
    const line = JSON.parse(text);
    if (line.begin !== undefined) server.begin(line.begin);
    else lines.push(line);
  }
  return { lines, code: await ended };
}

/** Checks the outcome of one scenario. @param {{ name: string, expect: Expected, apiKey?: string }} scenario */
function faultsOf({ name, expect: { attempts, ...expected }, ...scenario }, lines, server) {
  const line = lines.find((entry) => entry.name === name);
  if (!line) return [`${name}: no result`];
  const seen = Object.entries(expected).filter(([field, value]) => (line[field] ?? null) !== value);
  const keys = server.attempts.get(name) ?? [];
  const secrets = [scenario.apiKey || API_KEY, imageOf(scenario).slice(4, 24), 'pixels of a person'];
  const shown = secrets.filter((secret) => secret !== '' && line.text?.includes(secret));
  return [
    ...seen.map(
      ([field, value]) => `${name}: ${field} is ${line[field] ?? null}, not ${value} (${line.text})`,
    ),
    ...(attempts === undefined || keys.length === attempts
      ? []
      : [`${name}: ${keys.length} attempts, not ${attempts}`]),
    ...(new Set(keys).size > 1 ? [`${name}: the attempts have different Idempotency-Keys`] : []),
    ...(shown.length > 0 ? [`${name}: the error shows the key or the image`] : []),
  ];
}

/** Names of methods, whatever the case convention: an operation and, for a list, its iterator. */
function faultsOfNames(lines) {
  const plain = (name) => name.replaceAll('_', '').toLowerCase();
  const operations = Object.values(clientDocument().paths).flatMap((item) => Object.values(item));
  const names = operations.flatMap(({ operationId, 'x-all': all }) => [operationId, ...(all ? [all] : [])]);
  const methods = lines.find((line) => 'methods' in line)?.methods.map(plain) ?? [];
  return names.filter((name) => !methods.includes(plain(name))).map((name) => `There is no method ${name}.`);
}

/** Ends the process with status 1 if a scenario of `failuresOf` ends differently. */
export async function tryFailures(folder, command, options) {
  const faults = await failuresOf(folder, command, options);
  for (const fault of faults) console.log(`failures: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`ok ${SCENARIOS.length} failures`);
}
