/** `npm run test:unit` selects tests by their imports, and a test that loads more in another way fails. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
// In a workspace, since the selection looks at their folders.
const folder = mkdtempSync(join(root, 'gateway/src/unit-tests-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files: Record<string, string> = {
  'plain.test.ts': "test('adds', () => expect(1 + 1).toBe(2));\n",
  'types.test.ts':
    "import type { Redis } from 'ioredis';\ntest('null', () => expect(null as Redis | null).toBeNull());\n",
  'direct.test.ts': "import { Redis } from 'ioredis';\ntest('fails', () => expect(Redis).toBeNull());\n",
  'helper.ts': "import { chromium } from 'playwright-core';\nexport const browser = chromium;\n",
  'indirect.test.ts':
    "import { browser } from './helper';\ntest('fails', () => expect(browser).toBeNull());\n",
  'process.test.ts':
    "import { spawn } from 'node:child_process';\ntest('fails', () => expect(spawn).toBeNull());\n",
  'test/across.test.ts': "test('fails', () => expect(true).toBe(false));\n",
  'hidden.test.ts': "const name = 'onnxruntime-node';\ntest('loads a model', () => require(name));\n",
};

test('unit tests reach no browser, model, Redis or process', () => {
  mkdirSync(join(folder, 'test'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const args = ['node_modules/jest/bin/jest.js', '--config', 'jest.unit.config.js', '--json', folder];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const { testResults } = JSON.parse(stdout) as {
    testResults: { name: string; status: string; message: string }[];
  };
  const outcomes = Object.fromEntries(
    testResults.map(({ name, status }) => [name.slice(folder.length + 1), status]),
  );
  expect(outcomes).toEqual({
    'plain.test.ts': 'passed',
    'types.test.ts': 'passed',
    'hidden.test.ts': 'failed',
  });
  expect(testResults.find(({ status }) => status === 'failed')?.message).toContain(
    'A unit test must not load models',
  );
});
