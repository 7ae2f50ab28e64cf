import { runNode, withFolder } from './testing';

it('says on stderr, and only there, that nothing runs', async () => {
  await withFolder(async (folder) => {
    const env = { PRESENZA_DATA: folder, REDIS_URL: '', KEY_SECRET: '' };
    const outcome = await runNode(['admin.mjs', 'accounts', 'list', '--json'], env);
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr.trim()).toBe(
      'Presenza does not run here: start it with `npm start`, or set REDIS_URL and KEY_SECRET.',
    );
  });
});

it('helps while nothing runs', async () => {
  await withFolder(async (folder) => {
    const env = { PRESENZA_DATA: folder, REDIS_URL: '', KEY_SECRET: '' };
    for (const args of [[], ['help', 'keys', 'create'], ['keys', 'create', '--help']]) {
      const outcome = await runNode(['admin.mjs', ...args], env);
      expect(outcome).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining('npm run admin'),
      });
    }
  });
});
