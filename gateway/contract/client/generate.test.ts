import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

test('types.ts and catalogue.ts are what the contract generates', () => {
  // A process of its own: the formatter inside the generator loads itself in a way that Jest does not support.
  const command = [join(__dirname, 'generate.mjs'), '--check'];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
