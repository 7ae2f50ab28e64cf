import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

test('types.d.ts, catalogue.ts and operations.ts are up to date with the contract', () => {
  // A separate process, because Jest does not support how the generator's formatter loads itself.
  const command = [join(__dirname, 'generate.mjs'), '--check'];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
