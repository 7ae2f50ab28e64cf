// Stops the tiers of a start script that was killed before it could stop them. It signals only processes whose start
// times match their records.

import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../gateway/harness/cli/process-identity.mjs';
import { signalGroup } from '../../../gateway/harness/process.mjs';
import { readRuntime } from './runtime-file.mjs';

const POLL_MS = 50;
const GRACE_MS = 15_000;

/** Name of the guard among the recorded processes. */
export const GUARD = 'guard';

/**
 * A tier stops before the tiers that it sends requests to.
 * @type {readonly string[]}
 */
export const STOP_ORDER = ['site', 'gateway', 'inference', 'redis', 'redis-keys'];

/**
 * @param {string} runtimeFile
 * @param {{ graceMs?: number }} [options]
 * @returns {Promise<string[]>} names of the processes that were stopped
 */
export async function stopLeftovers(runtimeFile, { graceMs = GRACE_MS } = {}) {
  const processes = readRuntime(runtimeFile)?.processes ?? [];
  const stopped = [];
  for (const name of STOP_ORDER) {
    const leftover = processes.find((candidate) => candidate.name === name && isAlive(candidate));
    if (!leftover) continue;
    process.kill(leftover.pid, 'SIGTERM');
    await untilGone(leftover, graceMs);
    signalGroup(leftover.pid, 'SIGKILL');
    stopped.push(name);
  }
  rmSync(runtimeFile, { force: true });
  return stopped;
}

/**
 * Waits for the guard of a killed start, which stops the same processes.
 * @param {string} runtimeFile
 */
export async function awaitGuard(runtimeFile) {
  const guard = readRuntime(runtimeFile)?.processes.find(({ name }) => name === GUARD);
  if (guard) await untilGone(guard, GRACE_MS * STOP_ORDER.length);
}

/** @param {import('../../../gateway/harness/cli/process-identity.mjs').ProcessRecord} record @param {number} patienceMs */
async function untilGone(record, patienceMs) {
  const deadline = performance.now() + patienceMs;
  while (isAlive(record) && performance.now() < deadline) await sleep(POLL_MS);
}
