/** The machine and the commit behind a report. */
import { execFileSync } from 'node:child_process';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { ROOT } from '../../../../gateway/harness/cli/paths.mjs';

/** @returns {import('./types').Machine} */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? arch(),
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()} ${arch()}`,
    node: process.version,
    loadBefore: loadavg()[0],
  };
}

/** The commit of the working tree; `+` marks a product with uncommitted changes. */
export function describeCommit() {
  try {
    /** @param {string[]} args */
    const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
    const changed = git('status', '--porcelain', '--', 'inference', 'gateway', 'package-lock.json');
    return `${git('rev-parse', '--short=12', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}
