import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate, withFolder } from '../testing';

it('stops recorded processes in order, leaves a reused process id alone and forgets the file', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'runtime.json');
    const printed = await evaluate(`
      import { spawn } from 'node:child_process';
      import { readFileSync, statSync, writeFileSync } from 'node:fs';
      import { stopLeftovers } from './start/leftovers.mjs';
      import { isAlive, recordOf } from './cli/process-identity.mjs';
      import { RuntimeFile } from './start/runtime-file.mjs';
      const file = ${JSON.stringify(file)};
      const runtime = new RuntimeFile(file, 'redis://:p@127.0.0.1:1');
      const records = {};
      for (const name of ['redis', 'gateway', 'site']) {
        const { pid } = spawn('sleep', ['60']);
        records[name] = recordOf(pid);
        runtime.add(name, pid);
      }
      print((statSync(file).mode & 0o777).toString(8));
      const written = JSON.parse(readFileSync(file, 'utf8'));
      written.processes.find(({ name }) => name === 'gateway').began = 'another day';
      writeFileSync(file, JSON.stringify(written));
      print(await stopLeftovers(file));
      print(Object.keys(records).filter((name) => isAlive(records[name])));
      print(await stopLeftovers(file));
      process.kill(records.gateway.pid);`);
    expect(printed).toEqual(['600', ['site', 'redis'], ['gateway'], []]);
    expect(existsSync(file)).toBe(false);
  });
});
