/** What happens when the clock of Redis or of a gateway jumps, forward or back, and is put right again. */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../lib/gateway.mjs';
import { Skip } from '../lib/skip.mjs';
import { rehearsals } from './rehearsals.mjs';

/** Debian's package faketime, on the architectures that it is built for. */
const libraries = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
);

const HOUR_S = 3_600;

/** @param {string} file @param {number} seconds by which whoever reads it is ahead */
function putClock(file, seconds) {
  // Whole or not at all: it is read at every look at the clock.
  writeFileSync(`${file}.new`, `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}\n`);
  renameSync(`${file}.new`, file);
}

/** Of the rehearsal that runs. @type {Record<string, string>} */
const clocks = {};

export const clockJumps = rehearsals({
  name: 'faults/clock',
  answers: 'What happens when the clock of Redis or of a gateway jumps by an hour?',
  remark:
    'The clock of day alone (libfaketime); the monotonic one goes on, as it does when a clock is set. Each jump is undone at the end of the fault, which is a jump the other way.',
  setting: () => {
    const library = libraries.find((path) => existsSync(path));
    if (!library) throw new Skip('libfaketime is not installed: apt-get install faketime.');
    const folder = temporaryFolder();
    for (const name of ['redis', 'gateway 1']) {
      clocks[name] = join(folder, `${name.replace(' ', '-')}.clock`);
      putClock(clocks[name], 0);
    }
    return {
      envOf: (name) =>
        name in clocks
          ? {
              LD_PRELOAD: library,
              FAKETIME_TIMESTAMP_FILE: clocks[name],
              FAKETIME_NO_CACHE: '1',
              FAKETIME_DONT_FAKE_MONOTONIC: '1',
            }
          : {},
    };
  },
  faults: () => {
    /** @param {readonly string[]} names @param {number} seconds */
    const put = (names, seconds) => {
      for (const name of names) putClock(clocks[name], seconds);
    };
    /** @param {string} name @param {readonly string[]} who @param {number} seconds */
    const jump = (name, who, seconds) => ({
      name,
      begin: () => put(who, seconds),
      end: () => put(who, 0),
    });
    return [
      jump('Redis an hour ahead, then back', ['redis'], HOUR_S),
      jump('Redis an hour behind, then ahead', ['redis'], -HOUR_S),
      jump('one gateway an hour ahead', ['gateway 1'], HOUR_S),
      jump('one gateway an hour behind', ['gateway 1'], -HOUR_S),
      jump('Redis and one gateway an hour behind', ['redis', 'gateway 1'], -HOUR_S),
    ];
  },
});
