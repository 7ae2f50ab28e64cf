import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, recordOf } from '../../../gateway/harness/cli/process-identity.mjs';
import { withFolder } from '../../../gateway/harness/folders.mjs';
import { stopLeftovers } from './leftovers.mjs';
import { RuntimeFile } from './runtime-file.mjs';

it('stops the recorded processes in order, spares a reused process id and removes the file', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'runtime.json');
    const runtime = new RuntimeFile(file, 'redis://:p@127.0.0.1:1');
    const records = ['redis', 'gateway', 'site'].map((name) => {
      const pid = spawn('sleep', ['60']).pid as number;
      runtime.add(name, pid);
      return { name, ...recordOf(pid) };
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const written = JSON.parse(readFileSync(file, 'utf8'));
    written.processes.find(({ name }: { name: string }) => name === 'gateway').began = 'another day';
    writeFileSync(file, JSON.stringify(written));

    expect(await stopLeftovers(file)).toEqual(['site', 'redis']);
    const survivors = records.filter(isAlive);
    expect(survivors.map(({ name }) => name)).toEqual(['gateway']);
    expect([await stopLeftovers(file), existsSync(file)]).toEqual([[], false]);
    for (const { pid } of survivors) process.kill(pid);
  });
});
