/** Bars of other measurements that may stand beside a result: same machine, same state of the product. */
import { spawnSync } from 'node:child_process';
import { ROOT } from '../lib/paths.mjs';
import { quantity } from '../lib/report.mjs';
import { describeCommit, describeMachine, readResults } from '../lib/results.mjs';

/** The raw limit, and what a user would pick instead. */
const RELATED = ['speed/http-path', 'peers/throughput'];

/** @returns {[string, string, string, string][]} measurement, what, seen, commit */
export function readRelated() {
  const machine = describeMachine();
  const commit = describeCommit();
  return readResults()
    .filter(({ name, variant }) => RELATED.includes(name) && !variant)
    .filter((result) => isSameMachine(result.machine, machine) && isSameProduct(result.commit, commit))
    .flatMap(({ name, bars, commit: measured }) =>
      bars.map((bar) => /** @type {const} */ ([name, bar.what, quantity(bar.value, bar.unit), measured])),
    )
    .map((row) => [...row]);
}

/** @param {import('../lib/types').Machine} a @param {import('../lib/types').Machine} b */
const isSameMachine = (a, b) => a.cpu === b.cpu && a.cores === b.cores && a.node === b.node;

/** Whether gateway and inference are the same in two commits: documents may differ. @param {string} a @param {string} b */
function isSameProduct(a, b) {
  if (a.endsWith('+') || b.endsWith('+')) return false;
  const tiers = ['inference', 'gateway', 'package-lock.json'];
  return spawnSync('git', ['diff', '--quiet', a, b, '--', ...tiers], { cwd: ROOT }).status === 0;
}
