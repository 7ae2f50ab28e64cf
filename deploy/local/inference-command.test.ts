import { join } from 'node:path';
import { runToEnd } from '../../gateway/harness/process.mjs';

const run = (...args: readonly string[]) =>
  runToEnd(process.execPath, [join(__dirname, 'inference-command.mjs'), ...args], {
    env: { MODELS_FOLDER: '' },
  });

it('prints only the output of the command to stdout', async () => {
  const { code, stdout } = await run('models', 'list', 'facemesh', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ id: 'facemesh', task: 'face-landmarks' }]);
});

it('ends with the exit code of the command', async () => {
  expect(await run('models', 'list', 'nothing')).toMatchObject({ code: 2, stdout: '' });
});

it('runs the evaluation', async () => {
  expect(await run('evaluate')).toMatchObject({ code: 2, stdout: '' });
});
