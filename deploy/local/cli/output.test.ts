// The output that a person at the terminal sees.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../harness/folders.mjs';
import { duration, progress } from './progress.mjs';
import { Terminal } from './terminal.mjs';
import { describeTotals, readTotals } from './test-totals.mjs';

let text: string;
let pipe: Terminal;
let screen: Terminal;
beforeEach(() => {
  text = '';
  const write = (part: string) => {
    text += part;
  };
  pipe = new Terminal({ write });
  screen = new Terminal({ write, isTTY: true, columns: 20 });
});

it('names each step when it begins and when it ends, even when it fails', async () => {
  const step = progress('setup', pipe);
  await step('installing', async () => {});
  const failing = step('building', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(text).toBe(
    'setup  installing ...\nsetup  installing: done in 0.0 s\nsetup  building ...\nsetup  building: failed\n',
  );
  expect([340, 9_940, 41_200, 125_000].map(duration)).toEqual(['0.3 s', '9.9 s', '41 s', '2 min 5 s']);
});

it('keeps the progress of a step below the other lines of a terminal, cut to its width', async () => {
  await progress('setup', screen)('work', async (report) => {
    report('part one of two');
    screen.line('log');
  });
  const erase = '\r\x1b[2K';
  expect(text).toBe(
    `${erase}setup  work ... 0.0${erase}setup  work ... 0.0${erase}log\nsetup  work ... 0.0${erase}setup  work: done in 0.0 s\n`,
  );
});

it('counts a test file that could not be loaded as a failure', async () => {
  await withFolder((folder) => {
    const report = join(folder, 'jest.json');
    const counts = {
      numPassedTests: 5,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 1,
      numPendingTests: 2,
      numTodoTests: 1,
    };
    writeFileSync(report, JSON.stringify(counts));
    expect(readTotals(`${report}.absent`)).toBeUndefined();
    const totals = readTotals(report);
    expect(totals && describeTotals(totals)).toBe('5 passed, 2 failed, 3 skipped');
    expect(describeTotals({ passed: 3, failed: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  });
});
