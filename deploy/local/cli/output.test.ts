// What the person at the terminal sees.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate, withFolder } from '../testing';

const TERMINAL = `
    import { Terminal } from './cli/terminal.mjs';
    let text = '';
    const write = (part) => { text += part; };
    const pipe = new Terminal({ write });
    const screen = new Terminal({ write, isTTY: true, columns: 20 });`;

it('prints a tier’s log as JSON with its name for a program', async () => {
  const printed = await evaluate(`${TERMINAL}
    import { logLines } from './start/log-lines.mjs';
    logLines(pipe, { format: 'json', colored: false })('gateway', '{"level":30,"msg":"up"}');
    logLines(screen, { format: 'json', colored: true })('gateway', '{"level":30,"msg":"up"}');
    print(text);`);
  expect(printed).toEqual([
    '[gateway] {"level":30,"msg":"up"}\n\x1b[36m[gateway]\x1b[0m {"level":30,"msg":"up"}\n',
  ]);
});

it('prints a tier’s log in words for a person', async () => {
  const [text] = await evaluate(`${TERMINAL}
    import { logLines } from './start/log-lines.mjs';
    const now = () => new Date(2026, 10, 22, 9, 5, 7);
    const write2 = logLines(pipe, { format: 'text', colored: false, now });
    write2('gateway', JSON.stringify({ level: 30, time: 1, method: 'GET', status: 200, stages: {}, msg: 'request' }));
    write2('inference', JSON.stringify({ level: 40, reason: 'no GPU', err: { message: 'it failed', stack: 'x' }, msg: 'device passed over' }));
    write2('redis', '15377:M 22 Nov 2026 16:21:48.438 # User requested shutdown...');
    write2('redis', "15377:M 22 Nov 2026 16:21:48.438 # WARNING Memory overcommit must be enabled!");
    write2('redis', '22378:signal-handler (1795368992) Received SIGTERM scheduling shutdown...');
    write2('site', '{"broken');
    print(text);`);
  expect(String(text).split('\n')).toEqual([
    '09:05:07 gateway   request  method=GET  status=200',
    '09:05:07 inference WARNING  device passed over  reason="no GPU"  err="it failed"',
    '09:05:07 redis     User requested shutdown...',
    '09:05:07 redis     Received SIGTERM scheduling shutdown...',
    '09:05:07 site      {"broken',
    '',
  ]);
});

it('names each step when it begins and when it ends, also when it fails', async () => {
  const printed = await evaluate(`${TERMINAL}
    import { duration, progress } from './cli/progress.mjs';
    const step = progress('setup', pipe);
    await step('installing', async () => {});
    await step('building', async () => { throw new Error('no'); }).catch(() => {});
    print(text);
    print([340, 9_940, 41_200, 125_000].map(duration));`);
  expect(printed).toEqual([
    'setup  installing ...\nsetup  installing: done in 0.0 s\nsetup  building ...\nsetup  building: failed\n',
    ['0.3 s', '9.9 s', '41 s', '2 min 5 s'],
  ]);
});

it('keeps what a step is at below the other lines of a terminal, cut to its width', async () => {
  const [text] = await evaluate(`${TERMINAL}
    import { progress } from './cli/progress.mjs';
    await progress('setup', screen)('work', async (report) => { report('part one of two'); screen.line('log'); });
    print(text);`);
  const erase = '\r\x1b[2K';
  expect(text).toBe(
    `${erase}setup  work ... 0.0${erase}setup  work ... 0.0${erase}log\nsetup  work ... 0.0${erase}setup  work: done in 0.0 s\n`,
  );
});

it('quotes a photograph’s path for the shell', async () => {
  const [command] = await evaluate(`
    import { detectCommand } from './start/summary.mjs';
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
      import { describeTotals, readTotals } from './cli/test-totals.mjs';
      print(readTotals(${JSON.stringify(`${report}.absent`)}));
      print(describeTotals(readTotals(${JSON.stringify(report)})));
      print(describeTotals({ passed: 3, failed: 0, skipped: 0 }));`);
    expect(printed).toEqual([null, '5 passed, 2 failed, 3 skipped', '3 passed, 0 failed']);
  });
});
