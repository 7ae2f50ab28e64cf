import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { evaluate, withFolder } from '../testing';

/** Holds the lock until its stdin ends, and says when it has it. */
function holder(file: string) {
  const code = `
    import { lock } from './cli/lock.mjs';
    const release = await lock(${JSON.stringify(file)}, new AbortController().signal);
    console.log('held');
    process.stdin.resume().on('end', () => { release(); console.log('released'); });`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: join(__dirname, '..') });
}

const attempt = (file: string) =>
  evaluate(
    `import { tryLock } from './cli/lock.mjs'; print(tryLock(${JSON.stringify(file)}).holder?.pid ?? 'mine');`,
  );

it('names the holder, lets the next one in after it, and leaves no file', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'deep', 'lock');
    const first = holder(file);
    await once(createInterface({ input: first.stdout }), 'line');
    expect(await attempt(file)).toEqual([first.pid]);

    const second = holder(file);
    const secondHolds = once(createInterface({ input: second.stdout }), 'line');
    first.stdin.end();
    await secondHolds;
    expect(await attempt(file)).toEqual([second.pid]);
    second.stdin.end();
    await once(second, 'close');
    expect(await attempt(file)).toEqual(['mine']);
    expect(readdirSync(join(folder, 'deep'))).toEqual([]);
  });
});

it('takes over from a holder that was killed, from a reused process id and from a file that is no lock', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'lock');
    const killed = holder(file);
    await once(createInterface({ input: killed.stdout }), 'line');
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect(existsSync(file)).toBe(true);
    expect(await attempt(file)).toEqual(['mine']);

    writeFileSync(file, JSON.stringify({ pid: process.pid, began: 'another day' }));
    expect(await attempt(file)).toEqual(['mine']);
    writeFileSync(file, '');
    expect(await attempt(file)).toEqual(['mine']);
  });
});
