// The output that a person at the terminal sees.

import { duration, progress } from './progress.mjs';
import { Terminal } from './terminal.mjs';

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
