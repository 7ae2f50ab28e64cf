/** What happens when the clock of Redis or of a gateway jumps, forward or back, and is put right again. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder, withRedis } from '../lib/gateway.mjs';
import { Skip } from '../lib/skip.mjs';
import { rehearsals } from './rehearsals.mjs';
import { pause } from './rehearse.mjs';

const HOUR_S = 3_600;
const source = fileURLToPath(new URL('clock.c', import.meta.url));

/** @param {string} folder @throws Skip without a C compiler */
function compile(folder) {
  const library = join(folder, 'clock.so');
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source], {
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Skip(
      `The clock of a process is moved by a library that cc compiles, and it cannot: ${stderr?.trim() || 'there is no cc'}`,
    );
  return library;
}

/** @param {number} seconds */
function encode(seconds) {
  const bytes = Buffer.alloc(8);
  if (endianness() === 'LE') bytes.writeBigInt64LE(BigInt(seconds));
  else bytes.writeBigInt64BE(BigInt(seconds));
  return bytes;
}

/** In place: who runs has the file in its memory. @param {string} file @param {number} seconds ahead */
function putClock(file, seconds) {
  const fd = openSync(file, 'r+');
  writeSync(fd, encode(seconds), 0, 8, 0);
  closeSync(fd);
}

/** Seconds that a clock may be off from where it was put: Date has no fractions, and is made once a second. */
const TOLERANCE_S = 2;
const SEEN_WITHIN_MS = 5_000;

/** What each part says of the time, in seconds since 1970. @type {Record<string, (stage: Stage) => Promise<number>>} */
const timeOf = {
  redis: ({ redisUrl }) => withRedis(redisUrl, async (redis) => (await redis.time())[0]),
  'gateway 1': async ({ urls: [url] }) => {
    const { headers, body } = await fetch(`${url}/health`);
    await body?.cancel();
    return Date.parse(headers.get('date') ?? '') / 1e3;
  },
};

/**
 * A library that was not loaded moves nothing, and every bar would hold.
 * @param {Stage} stage
 * @param {string} part
 * @param {number} ahead seconds
 * @throws Error when the part does not say so
 */
async function untilSeen(stage, part, ahead) {
  const begin = performance.now();
  for (;;) {
    const seen = (await timeOf[part](stage)) - Date.now() / 1e3;
    if (Math.abs(seen - ahead) <= TOLERANCE_S) return;
    if (performance.now() - begin > SEEN_WITHIN_MS)
      throw new Error(`The clock of ${part} was put ${ahead} s ahead and is ${seen} s`);
    await pause(100);
  }
}

/** @typedef {import('./stage.mjs').Stage} Stage */

/** Files of the rehearsal that runs, by part. @type {Record<string, string>} */
const clocks = {};

export const clockJumps = rehearsals({
  name: 'faults/clock',
  answers: 'What happens when the clock of Redis or of a gateway jumps by an hour?',
  remark:
    'The clock of day alone; the monotonic one goes on, as it does when a clock is set. Each jump is undone at the end of the fault, which is a jump the other way.',
  setting: () => {
    const folder = temporaryFolder();
    const library = compile(folder);
    for (const name of ['redis', 'gateway 1']) {
      clocks[name] = join(folder, `${name.replace(' ', '-')}.clock`);
      writeFileSync(clocks[name], encode(0));
    }
    return {
      envOf: (name) => (name in clocks ? { LD_PRELOAD: library, REHEARSAL_CLOCK: clocks[name] } : {}),
    };
  },
  faults: (stage) => {
    /** @param {string} name @param {readonly string[]} who @param {number} seconds */
    const jump = (name, who, seconds) => {
      const put = async (/** @type {number} */ ahead) => {
        for (const one of who) putClock(clocks[one], ahead);
        for (const one of who) await untilSeen(stage, one, ahead);
      };
      return { name, begin: () => put(seconds), end: () => put(0) };
    };
    return [
      jump('Redis an hour ahead, then back', ['redis'], HOUR_S),
      jump('Redis an hour behind, then ahead', ['redis'], -HOUR_S),
      jump('one gateway an hour ahead', ['gateway 1'], HOUR_S),
      jump('one gateway an hour behind', ['gateway 1'], -HOUR_S),
      jump('Redis and one gateway an hour behind', ['redis', 'gateway 1'], -HOUR_S),
    ];
  },
});
