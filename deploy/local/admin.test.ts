import { join } from 'node:path';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { runToEnd } from '../../gateway/harness/process.mjs';

const admin = (args: readonly string[], folder: string) =>
  runToEnd(process.execPath, [join(__dirname, 'admin.mjs'), ...args], {
    env: { PRESENZA_DATA: folder, REDIS_URL: '', KEY_SECRET: '' },
  });

it('reports on stderr, and only there, that nothing runs', async () => {
  await withFolder(async (folder) => {
    const outcome = await admin(['accounts', 'list', '--json'], folder);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr.trim()).toBe(
      'Presenza does not run here: start it with `npm start`, or set REDIS_URL and KEY_SECRET.',
    );
  });
});

it('prints its help while nothing runs', async () => {
  await withFolder(async (folder) => {
    for (const args of [[], ['help', 'keys', 'create'], ['keys', 'create', '--help']]) {
      const outcome = await admin(args, folder);
      expect(outcome).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('npm run admin'),
      });
    }
  });
});
