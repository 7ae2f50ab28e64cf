// Checks whether a recorded process id still belongs to the same process. Ids are reused; an id together with the
// moment the process began is unique.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * @typedef {object} ProcessRecord
 * @property {number} pid
 * @property {string} began opaque; equal only for the same process
 */

/** @param {number} pid @returns {ProcessRecord} */
export function recordOf(pid) {
  return { pid, began: beginningOf(pid) ?? 'unknown' };
}

/** @param {ProcessRecord} record */
export function isAlive({ pid, began }) {
  return beginningOf(pid) === began;
}

/**
 * @param {number} pid
 * @returns {string | undefined} undefined when the process does not run; a zombie does not
 */
function beginningOf(pid) {
  return process.platform === 'linux' ? beginningOnLinux(pid) : beginningByPs(pid);
}

/** @param {number} pid */
function beginningOnLinux(pid) {
  try {
    // proc_pid_stat(5): the second field is the command in parentheses, which may contain spaces and
    // parentheses. After the last one, state is the first field and starttime, in ticks since boot, the twentieth.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function beginningByPs(pid) {
  try {
    const [state, ...began] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/);
    return state?.startsWith('Z') ? undefined : began.join(' ');
  } catch {
    return undefined;
  }
}
