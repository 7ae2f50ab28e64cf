/**
 * `npm run test:unit` selects tests by their imports, and a test that loads a resource in another way fails.
 *
 * Slow: it starts Jest in another process.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { JEST, ROOT } from '../../gateway/harness/cli/paths.mjs';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { runToEnd } from '../../gateway/harness/process.mjs';
import { selectUnitTests } from './unit-tests.mjs';

function write(folder: string, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

test('selects tests beside their sources whose imports reach no browser, model, Redis or process', async () => {
  await withFolder((folder) => {
    write(folder, {
      'plain.test.ts': "import { one } from './one';",
      'one.ts': "import './circle'; export const one = 1;",
      'circle.ts': "export { one } from './one';",
      'types.test.ts': "import type { Redis } from 'ioredis';",
      'version.test.ts': "require('onnxruntime-node/package.json');",
      'comment.test.ts': "/** @type {import('piscina').Piscina} */\nexport const pool = 1;",
      'direct.test.ts': "import { Redis } from 'ioredis';",
      'helper.mjs': "export { chromium } from 'playwright-core';",
      'indirect.test.ts': "import { chromium } from './helper.mjs';",
      'deep/late.test.tsx': "const load = () => import('onnxruntime-node');",
      'process.test.ts': "import { spawn } from 'node:child_process';",
      'test/across.test.ts': '',
      'node_modules/a/a.test.ts': '',
    });
    const selected = selectUnitTests(folder).map((file) => relative(folder, file));
    expect(selected.sort()).toEqual(['comment.test.ts', 'plain.test.ts', 'types.test.ts', 'version.test.ts']);
  });
});

test('a unit test that loads a resource in another way fails', async () => {
  const print =
    "require('./jest.config.js')().then(({ projects }) => console.log(JSON.stringify(projects[0])))";
  const { stdout } = await runToEnd(process.execPath, ['-e', print], { cwd: ROOT, env: { SUITE: 'unit' } });
  await withFolder(async (folder) => {
    write(folder, {
      'hidden.test.js': "test('loads a model', () => require(['onnxruntime', 'node'].join('-')));",
      'plain.test.js': "test('adds', () => expect(1 + 1).toBe(2));",
    });
    const project = { ...JSON.parse(stdout), rootDir: folder, testMatch: ['**/*.test.js'], transform: {} };
    const run = await runToEnd(process.execPath, [JEST, '--json', '--config', JSON.stringify(project)]);
    const { testResults } = JSON.parse(run.stdout) as {
      testResults: Record<'name' | 'status' | 'message', string>[];
    };
    const statusOf = Object.fromEntries(
      testResults.map(({ name, status }) => [relative(folder, name), status]),
    );
    expect(statusOf).toEqual({ 'hidden.test.js': 'failed', 'plain.test.js': 'passed' });
    expect(testResults.map(({ message }) => message).join()).toContain('A unit test must not load models');
  });
});
