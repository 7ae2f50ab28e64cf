// What the person at the terminal sees.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate, withFolder } from '../testing';

it('puts each tier’s name before its lines, in colour only where somebody wants it', async () => {
  const printed = await evaluate(`
    import { logLines } from './lib/log-lines.mjs';
    const write = (text) => print(text);
    logLines({ write }, {})('redis', 'up');
    logLines({ write, isTTY: true }, { NO_COLOR: '1' })('redis', 'up');
    logLines({ write, isTTY: true }, {})('redis', 'up');`);
  expect(printed).toEqual(['[redis] up\n', '[redis] up\n', '\x1b[31m[redis]\x1b[0m up\n']);
});

it('writes one line per step, also when it fails', async () => {
  const printed = await evaluate(`
    import { duration, progress } from './lib/progress.mjs';
    let text = '';
    const step = progress('setup', { write: (part) => { text += part; } });
    await step('installing', async () => {});
    await step('building', async () => { throw new Error('no'); }).catch(() => {});
    print(text);
    print([340, 9_940, 41_200, 125_000].map(duration));`);
  expect(printed).toEqual([
    'setup  installing ...  done in 0.0 s\nsetup  building ...  failed\n',
    ['0.3 s', '9.9 s', '41 s', '2 min 5 s'],
  ]);
});

it('quotes a photograph’s path for the shell', async () => {
  const [command] = await evaluate(`
    import { detectCommand } from './lib/summary.mjs';
    print(detectCommand({ gatewayUrl: 'http://127.0.0.1:1', key: 'k', photo: "/it's here/a.jpg" }));`);
  expect(command).toContain(String.raw`base64 < '/it'\''s here/a.jpg' |`);
});

it('counts a test file that could not be loaded as a failure', async () => {
  await withFolder(async (folder) => {
    const report = join(folder, 'jest.json');
    const counts = {
      numPassedTests: 5,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 1,
      numPendingTests: 2,
      numTodoTests: 1,
    };
    writeFileSync(report, JSON.stringify(counts));
    const printed = await evaluate(`
      import { describeTotals, readTotals } from './lib/test-totals.mjs';
      print(readTotals(${JSON.stringify(`${report}.absent`)}));
      print(describeTotals(readTotals(${JSON.stringify(report)})));
      print(describeTotals({ passed: 3, failed: 0, skipped: 0 }));`);
    expect(printed).toEqual([null, '5 passed, 2 failed, 3 skipped', '3 passed, 0 failed']);
  });
});
