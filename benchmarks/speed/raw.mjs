/** The raw side as a process: it decodes and repeats recorded `session.run` calls, on as many threads as are asked. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const RAW = fileURLToPath(new URL('raw-process.mjs', import.meta.url));

/**
 * @template T
 * @param {{ work: import('./raw-worker.mjs').Work[], device: string, threads: number }} load
 * @param {(run: (requests: number) => Promise<number>) => Promise<T>} use `run` resolves to the seconds that it took
 * @returns {Promise<T>}
 */
export async function withRaw({ work, device, threads }, use) {
  const raw = fork(RAW, {
    serialization: 'advanced',
    env: { ...process.env, UV_THREADPOOL_SIZE: String(Math.max(4, threads)) },
  });
  const killRaw = () => raw.kill('SIGKILL');
  process.once('exit', killRaw);
  try {
    await ask(raw, { kind: 'load', work, device, threads });
    return await use(async (requests) => (await ask(raw, { kind: 'run', requests })).seconds);
  } finally {
    process.off('exit', killRaw);
    const ended = once(raw, 'exit');
    killRaw();
    await ended;
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {object} message @returns {Promise<any>} */
async function ask(child, message) {
  const ended = once(child, 'exit').then(([code]) => ({ error: `The raw process ended with ${code}` }));
  const answered = once(child, 'message').then(([reply]) => reply);
  child.send(message);
  const reply = await Promise.race([answered, ended]);
  if (reply.error) throw new Error(reply.error);
  return reply;
}
