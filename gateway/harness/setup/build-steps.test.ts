import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isAlive, recordOf } from '../cli/process-identity.mjs';
import { Interrupted } from '../cli/stop.mjs';
import { withFolder } from '../folders.mjs';
import { RunningProcess } from '../process.mjs';
import { waitUntil } from '../wait.mjs';
import { buildSteps, checkSitePath, removeOrphans, runBuildStep } from './build-steps.mjs';
import { run } from './run.mjs';
import { contentHash } from './stamps.mjs';

const { signal: abort } = new AbortController();

it('builds once, then only after an edit, a deleted output or a failure', async () => {
  await withFolder(async (root) => {
    const [input, output, cache] = [join(root, 'in.txt'), join(root, 'out'), join(root, 'cache')];
    writeFileSync(input, 'first');
    const say = jest.fn();
    /** Runs the step, and returns whether it did any work. */
    const build = async (
      code = `require('node:fs').mkdirSync(${JSON.stringify(output)}, { recursive: true })`,
    ) => {
      const step = jest.fn(async (_title: string, work: (report: (line: string) => void) => Promise<void>) =>
        work(() => {}),
      );
      const inputs = [{ path: 'in.txt' }];
      await runBuildStep(
        { title: 'building', inputs, outputs: [output], remains: [cache], command: ['-e', code] },
        { step, say, abort, root },
      );
      return step.mock.calls.length > 0;
    };
    writeFileSync(cache, 'left by an earlier build');
    expect([await build(), await build()]).toEqual([true, false]);
    appendFileSync(input, 'more');
    expect([await build(), await build()]).toEqual([true, false]);
    rmSync(output, { recursive: true });
    expect([await build(), await build()]).toEqual([true, false]);
    expect([existsSync(cache), say.mock.calls]).toEqual([true, []]);

    appendFileSync(input, 'bad');
    await expect(build('process.kill(process.pid, "SIGKILL")')).rejects.toThrow('was ended by SIGKILL');
    writeFileSync(input, 'first');
    expect([await build(), await build()]).toEqual([true, false]);
    expect([existsSync(cache), say.mock.calls]).toEqual([
      false,
      [['building: the last run did not finish, so it runs again']],
    ]);
  });
});

it('keeps lasting lines of a command on the terminal and shows the others as progress', async () => {
  await withFolder(async (root) => {
    const shown = jest.fn();
    const say = jest.fn();
    const code = 'console.log("one is missing, because it is offline"); console.log("two compiled")';
    await runBuildStep(
      {
        title: 'building',
        inputs: [],
        outputs: [root],
        lasting: / is missing, because /,
        command: ['-e', code],
      },
      { step: async (_title, work) => work(shown), say, abort, root },
    );
    expect([shown.mock.calls, say.mock.calls]).toEqual([
      [['two compiled']],
      [['one is missing, because it is offline']],
    ]);
  });
});

it('builds again, without caches, what is missing or damaged in an output', async () => {
  await withFolder(async (root) => {
    const [input, output, cache] = [join(root, 'in.txt'), join(root, 'out'), join(root, 'cache')];
    const code = `
      const { mkdirSync, writeFileSync } = require('node:fs');
      mkdirSync('out/deep', { recursive: true });
      for (const file of ['a.onnx', 'deep/b.js']) writeFileSync('out/' + file, 'content');`;
    const build = async () => {
      const say = jest.fn();
      await runBuildStep(
        {
          title: 'building',
          inputs: [{ path: 'in.txt' }],
          outputs: [output],
          remains: [cache],
          command: ['-e', code],
          cwd: root,
        },
        { step: async (_title, work) => work(() => {}), say, abort, root },
      );
      return say.mock.calls.flat();
    };
    writeFileSync(input, '');
    expect([await build(), await build()]).toEqual([[], []]);
    const damages: [string, () => void][] = [
      ['deep/b.js', () => rmSync(join(output, 'deep'), { recursive: true })],
      ['a.onnx', () => rmSync(join(output, 'a.onnx'))],
      ['a.onnx', () => truncateSync(join(output, 'a.onnx'), 0)],
      ['deep/b.js', () => truncateSync(join(output, 'deep/b.js'), 3)],
    ];
    for (const [file, damage] of damages) {
      writeFileSync(cache, '');
      damage();
      expect(await build()).toEqual([
        `building: ${join(output, file)} is missing or damaged, so it runs again`,
      ]);
      expect([readFileSync(join(output, file), 'utf8'), existsSync(cache)]).toEqual(['content', false]);
      expect(await build()).toEqual([]);
    }

    // A compiler run by hand after an edit.
    appendFileSync(input, 'edit');
    appendFileSync(join(output, 'deep/b.js'), 'newer');
    writeFileSync(join(output, 'added.js'), '');
    expect([await build(), await build()]).toEqual([[], []]);
  });
});

it('names a character in the path of the checkout that the site cannot be built with', () => {
  expect(() => checkSitePath("/home/o'hara/presenza")).toThrow(
    /does not support the character ' in a path: move/,
  );
  expect(() => checkSitePath('/home/new!/presenza')).toThrow(/the character !/);
  checkSitePath('/home/a b/ü#[1]');
});

it('removes the outputs of deleted sources before it compiles', async () => {
  await withFolder((root) => {
    const write = (path: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), '');
    };
    const kept = ['gateway/src/errors/index.ts', 'gateway/dist/errors/index.js', 'gateway/dist/.tsbuildinfo'];
    const removed = ['gateway/dist/errors.js', 'gateway/dist/errors.d.ts', 'gateway/dist/old/a.js.map'];
    [...kept, ...removed, 'gateway/dist/old/a.js'].forEach(write);
    removeOrphans(root);
    expect([...kept, ...removed].filter((path) => existsSync(join(root, path)))).toEqual(kept);
  });
});

it('builds the site again after edits of its own files, not of its tests, its server or built clients', async () => {
  await withFolder((root) => {
    const settings = {
      modelsCache: root,
      modelsFolder: undefined,
      modelsMirror: undefined,
      siteUrl: '',
      analyticsUrl: undefined,
      repositoryUrl: undefined,
    };
    const inputs = buildSteps(settings).at(-1)?.inputs ?? [];
    const edits = [
      'web/serve.mjs',
      'web/policies.mjs',
      'web/static-files.mjs',
      'web/test/a.test.ts',
      'gateway/contract/clients/typescript/build/package.json',
      'gateway/contract/openapi.json',
      'web/src/page.tsx',
    ];
    const changed = edits.filter((edit) => {
      const before = contentHash(root, inputs);
      mkdirSync(dirname(join(root, edit)), { recursive: true });
      writeFileSync(join(root, edit), 'edited');
      return contentHash(root, inputs) !== before;
    });
    expect(changed).toEqual(['gateway/contract/openapi.json', 'web/src/page.tsx']);
  });
});

it('shows the first and the last lines of a failed command', async () => {
  const code = 'for (let i = 1; i <= 200; i++) console.log("line " + i); process.exitCode = 7';
  const failure = await run(process.execPath, ['-e', code], { abort }).catch((error) => error);
  expect(failure.details).toMatch(
    /^line 1\n.*\nline 20\n\.\.\. 140 lines omitted \.\.\.\nline 161\n.*\nline 200$/s,
  );
  expect(failure.message).toMatch(/ended with exit code 7\.$/);
});

it('ends a running command and its children when it is aborted', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'pid');
    const interruption = new AbortController();
    const running = run('sh', ['-c', `sleep 60 & echo $! > ${file}.draft; mv ${file}.draft ${file}; wait`], {
      abort: interruption.signal,
    });
    const text = await waitUntil('the child runs', () => readFileSync(file, 'utf8'));
    const child = recordOf(Number(text));
    expect(isAlive(child)).toBe(true);
    interruption.abort(new Interrupted('SIGTERM'));
    await expect(running).rejects.toBeInstanceOf(Interrupted);
    await waitUntil('the child is gone', () => !isAlive(child));
  });
});

it('ends a running command when this program is killed', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'pid');
    const code = `
      import { run } from ${JSON.stringify(join(__dirname, 'run.mjs'))};
      const { signal: abort } = new AbortController();
      run('sh', ['-c', 'echo $$ > ${file}.draft; mv ${file}.draft ${file}; exec sleep 60'], { abort });
      console.log('started');`;
    const program = new RunningProcess(process.execPath, ['--input-type=module', '-e', code]);
    await program.line('started');
    const text = await waitUntil('the command runs', () => readFileSync(file, 'utf8'));
    const command = recordOf(Number(text));
    program.child.kill('SIGKILL');
    await program.ended;
    await waitUntil('the command is gone', () => !isAlive(command));
  });
});
