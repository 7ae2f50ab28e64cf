import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../../../gateway/harness/folders.mjs';
import { runToEnd } from '../../../gateway/harness/process.mjs';

const nodes = JSON.stringify({
  items: [{ status: { nodeInfo: { kubeletVersion: 'v1.33' }, allocatable: { cpu: '2', memory: '8Gi' } } }],
});

/** Runs the program with a stand-in for kubectl, and a result of another run. */
const start = (kubectl: string) =>
  withFolder(async (folder) => {
    const file = join(folder, 'kubectl');
    writeFileSync(file, `#!/bin/sh\n${kubectl}`);
    chmodSync(file, 0o755);
    const output = join(folder, 'result.json');
    writeFileSync(output, '{"rows":[]}');
    const main = join(__dirname, 'main.mjs');
    const env = { PATH: `${folder}:${process.env.PATH}` };
    const ended = await runToEnd(process.execPath, [main, '--output', output], { env });
    const read = (name: string) => existsSync(name) && readFileSync(name, 'utf8');
    return { ...ended, result: read(output), deleted: read(join(folder, 'deleted')) };
  });

test('without a cluster, no result of another run is left to be taken for this one', async () => {
  expect(await start('echo refused >&2; exit 1')).toMatchObject({
    code: 1,
    result: false,
    stderr: expect.stringContaining('There is no cluster'),
  });
});

test('a run that ends early prints its table, writes its result and deletes its namespaces', async () => {
  const ended = await start(`
case $1 in
  get) echo '${nodes}' ;;
  delete) echo "$@" >>"$(dirname "$0")/deleted" ;;
  *) echo Forbidden >&2; exit 1 ;;
esac`);
  expect(ended).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^first-request +failed .*0 passed, 1 failed, 0 skipped/ms),
    stderr: expect.stringContaining('cannot be created: Forbidden'),
    deleted: expect.stringMatching(/^delete namespace --selector /),
  });
  expect(JSON.parse(String(ended.result)).rows).toMatchObject([
    { scenario: 'first-request', outcome: 'failed' },
  ]);
});
