import { join } from 'node:path';
import { runToEnd } from './harness/process.mjs';

const models = (...args: readonly string[]) =>
  runToEnd(process.execPath, [join(__dirname, 'models.mjs'), ...args], { env: { MODELS_FOLDER: '' } });

it('prints only the output of the command to stdout', async () => {
  const { code, stdout } = await models('list', 'blazeface', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ id: 'blazeface', task: 'face-detection' }]);
});

it('ends with the exit code of the command', async () => {
  expect(await models('list', 'nothing')).toMatchObject({ code: 2, stdout: '' });
});
