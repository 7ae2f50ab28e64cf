// The record of the running processes. `npm start` writes this file beside the data; the admin command, the guard and
// the next start read it. It contains Redis's password, so only its owner may read it. A stop removes it.

import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeText } from '../../../gateway/harness/cli/files.mjs';
import { recordOf } from '../../../gateway/harness/cli/process-identity.mjs';

/** @typedef {import('../../../gateway/harness/cli/process-identity.mjs').ProcessRecord & { name: string }} NamedProcess */

/**
 * @typedef {object} Runtime
 * @property {import('../../../gateway/harness/cli/process-identity.mjs').ProcessRecord} starter the start script itself
 * @property {string} redisUrl
 * @property {string | undefined} [sessionKeysUrl]
 * @property {NamedProcess[]} processes all processes that it started, in order
 */

/** @param {string} dataDir */
export function runtimeFileIn(dataDir) {
  return join(dataDir, 'runtime.json');
}

/**
 * @param {string} file
 * @returns {Runtime | undefined} undefined without a file, or for one that a crash of the machine cut off
 */
export function readRuntime(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

export class RuntimeFile {
  #file;
  /** @type {Runtime} */
  #runtime;

  /** @param {string} file @param {string} redisUrl @param {string} [sessionKeysUrl] */
  constructor(file, redisUrl, sessionKeysUrl) {
    this.#file = file;
    this.#runtime = { starter: recordOf(process.pid), redisUrl, sessionKeysUrl, processes: [] };
    this.#write();
  }

  /** @param {string} name @param {number} pid */
  add(name, pid) {
    this.#runtime.processes.push({ name, ...recordOf(pid) });
    this.#write();
  }

  remove() {
    rmSync(this.#file, { force: true });
  }

  /** Readers see the old content or the new one, never half of it. */
  #write() {
    const draft = `${this.#file}.draft`;
    writeText(draft, JSON.stringify(this.#runtime, null, 2), { mode: 0o600 });
    renameSync(draft, this.#file);
  }
}
