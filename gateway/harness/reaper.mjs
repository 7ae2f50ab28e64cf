// Kills child processes when this program ends, however it ends. A shell reads the process ids from a pipe; the pipe
// closes with this program, even after SIGKILL, and the shell then kills what is left. `process.on('exit')` would not
// do: a SIGKILL skips it, and Jest's sandbox never calls it.

import { spawn } from 'node:child_process';

/** `+ PID` adds a process group, `- PID` removes it. */
const SCRIPT = `
groups=' '
while read -r change group; do
  case $change in
    +) groups="$groups$group ";;
    -) groups=$(printf '%s' "$groups" | sed "s/ $group / /");;
  esac
done
for group in $groups; do kill -9 "-$group"; done 2>/dev/null`;

/** @type {import('node:child_process').ChildProcess | undefined} */
let shell;
let watched = 0;

/**
 * @param {import('node:child_process').ChildProcess} child leader of a process group
 */
export function reap(child) {
  const { pid } = child;
  if (pid === undefined) return;
  shell ??= startShell();
  shell.stdin?.write(`+ ${pid}\n`);
  watched += 1;
  child.once('exit', () => {
    shell?.stdin?.write(`- ${pid}\n`);
    watched -= 1;
    if (watched > 0) return;
    shell?.stdin?.end();
    shell = undefined;
  });
}

function startShell() {
  // A session of its own: a signal to this program's process group leaves the shell to do its work.
  const child = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.stdin.on('error', () => {});
  // Neither keeps this program running.
  child.unref();
  /** @type {import('node:net').Socket} */ (/** @type {unknown} */ (child.stdin)).unref();
  return child;
}
