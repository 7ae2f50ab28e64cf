import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate, withFolder } from '../testing';

/** Runs one step again and again, with a change before each run, and prints which runs did any work. */
async function worked(folder: string, changes: string[]): Promise<unknown[]> {
  return evaluate(`
    import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
    import { runBuildStep } from './setup/build-steps.mjs';
    const root = ${JSON.stringify(folder)};
    const out = root + '/out';
    const build = (code) => ({
      title: 'building', inputs: [{ path: 'in.txt' }], outputs: [out], command: ['-e', code],
    });
    const succeed = \`require('node:fs').mkdirSync(\${JSON.stringify(out)}, { recursive: true })\`;
    let code = succeed;
    for (const change of ${JSON.stringify(changes)}) {
      if (change === 'edit') appendFileSync(root + '/in.txt', 'more');
      if (change === 'delete output') rmSync(out, { recursive: true });
      code = change === 'break' ? 'process.exit(1)' : succeed;
      if (change === 'break') appendFileSync(root + '/in.txt', 'bad');
      let ran = false;
      const step = async (title, work) => { ran = true; await work(); };
      const abort = new AbortController().signal;
      await runBuildStep(build(code), { step, abort, root }).catch(() => { ran = 'failed'; });
      print(ran);
    }`);
}

it('builds once, then only after an edit, a deleted output or a failure', async () => {
  await withFolder(async (folder) => {
    writeFileSync(join(folder, 'in.txt'), 'first');
    const changes = ['none', 'none', 'edit', 'none', 'delete output', 'none', 'break', 'none', 'none'];
    expect(await worked(folder, changes)).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      'failed',
      true,
      false,
    ]);
  });
});

it('builds the site anew for its own files, not for its tests or what serves it', async () => {
  await withFolder(async (folder) => {
    const edits = ['web/serve.mjs', 'web/policies.mjs', 'web/test/a.test.ts', 'web/src/page.tsx'];
    const changed = await evaluate(`
      import { mkdirSync, writeFileSync } from 'node:fs';
      import { dirname, join } from 'node:path';
      import { buildSteps } from './setup/build-steps.mjs';
      import { contentHash } from './setup/stamps.mjs';
      const root = ${JSON.stringify(folder)};
      const { inputs } = buildSteps({ modelsCache: root, siteUrl: '' }).at(-1);
      for (const edit of ${JSON.stringify(edits)}) {
        const before = contentHash(root, inputs);
        mkdirSync(dirname(join(root, edit)), { recursive: true });
        writeFileSync(join(root, edit), 'edited');
        print(contentHash(root, inputs) !== before);
      }`);
    expect(changed).toEqual([false, false, false, true]);
  });
});

it('shows what a failed command printed, its beginning and its end', async () => {
  const [details, sentence] = await evaluate(`
    import { run } from './setup/run.mjs';
    const code = 'for (let i = 1; i <= 200; i++) console.log("line " + i); process.exitCode = 7';
    await run(process.execPath, ['-e', code], { abort: new AbortController().signal }).catch((error) => {
      print(error.details);
      print(error.message);
    });`);
  expect(details).toMatch(/^line 1\n.*\nline 20\n\.\.\. 140 lines left out \.\.\.\nline 161\n.*\nline 200$/s);
  expect(sentence).toMatch(/ended with exit code 7\.$/);
});

it('ends a running command and its children when it is aborted', async () => {
  const printed = await evaluate(`
    import { run } from './setup/run.mjs';
    import { isAlive, recordOf } from './cli/process-identity.mjs';
    import { watchSignals } from './cli/interruption.mjs';
    import { Interrupted } from './cli/stop.mjs';
    import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
    import { tmpdir } from 'node:os';
    const folder = mkdtempSync(tmpdir() + '/presenza-');
    const { abort } = watchSignals();
    let child;
    watch(folder, () => {
      const pid = Number(readFileSync(folder + '/pid', 'utf8'));
      if (!pid || child) return;
      child = recordOf(pid);
      process.kill(process.pid, 'SIGTERM');
    });
    const command = 'sleep 60 & echo $! > ' + folder + '/pid; wait';
    await run('sh', ['-c', command], { abort }).catch((error) => print(error instanceof Interrupted));
    while (isAlive(child)) await new Promise((resolve) => setTimeout(resolve, 10));
    print('child gone');
    rmSync(folder, { recursive: true });
    process.exit(0);`);
  expect(printed).toEqual([true, 'child gone']);
});
