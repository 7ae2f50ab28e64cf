import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withFolder } from '../folders.mjs';
import { tryLock } from './lock.mjs';

/** A process that holds the lock until its stdin ends, and prints when it has it. */
function holder(file: string) {
  const code = `
    import { lock } from './lock.mjs';
    const release = await lock(${JSON.stringify(file)}, new AbortController().signal);
    console.log('held');
    process.stdin.resume().on('end', () => { release(); console.log('released'); });`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: __dirname });
}

/** The holder of the lock; without one, this process takes the lock and releases it. */
function attempt(file: string): number | undefined {
  const lock = tryLock(file);
  if ('holder' in lock) return lock.holder.pid;
  lock.release();
  return undefined;
}

it('names the holder, admits the next process after it, and leaves no file', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'deep', 'lock');
    const first = holder(file);
    await once(createInterface({ input: first.stdout }), 'line');
    expect(attempt(file)).toBe(first.pid);

    const second = holder(file);
    const secondHolds = once(createInterface({ input: second.stdout }), 'line');
    first.stdin.end();
    await secondHolds;
    expect(attempt(file)).toBe(second.pid);
    second.stdin.end();
    await once(second, 'close');
    expect(attempt(file)).toBeUndefined();
    expect(readdirSync(join(folder, 'deep'))).toEqual([]);
  });
});

it('takes the lock over from a killed holder, a reused process id and a file that is not a lock', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'lock');
    const killed = holder(file);
    await once(createInterface({ input: killed.stdout }), 'line');
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect(existsSync(file)).toBe(true);
    expect(attempt(file)).toBeUndefined();

    writeFileSync(file, JSON.stringify({ pid: process.pid, began: 'another day' }));
    expect(attempt(file)).toBeUndefined();
    writeFileSync(file, '');
    expect(attempt(file)).toBeUndefined();
  });
});
