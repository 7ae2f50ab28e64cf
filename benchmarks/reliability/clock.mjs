/** Makes the clock of Redis or of a gateway jump forward or back, and then back to the right time. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder, waitUntil, withRedis } from '../../gateway/harness/index.mjs';
import { Skip } from '../lib/skip.mjs';
import { rehearsal } from './rehearsal.mjs';

const HOUR_S = 3_600;
const source = fileURLToPath(new URL('clock.c', import.meta.url));

/** @param {string} folder @throws Skip without a C compiler */
function compile(folder) {
  const library = join(folder, 'clock.so');
  const args = ['-shared', '-fPIC', '-O2', '-o', library, source];
  const { status, stderr } = spawnSync('cc', args, { encoding: 'utf8' });
  if (status !== 0)
    throw new Skip(
      `A library that moves the clock of a process needs cc: ${stderr?.trim() || 'there is no cc'}`,
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

/** Writes in place, because running processes have mapped the file. @param {string} file @param {number} seconds ahead */
function setClock(file, seconds) {
  const fd = openSync(file, 'r+');
  writeSync(fd, encode(seconds), 0, 8, 0);
  closeSync(fd);
}

/** A Date header has no fractions and is made once a second. */
const TOLERANCE_S = 2;

/** The time of each part, in seconds since 1970. */
const timeOf = {
  redis: ({ redisUrl }) => withRedis(redisUrl, async (redis) => (await redis.time())[0]),
  'gateway 1': async ({ urls: [url] }) => {
    const { headers, body } = await fetch(`${url}/health`);
    await body?.cancel();
    return Date.parse(headers.get('date') ?? '') / 1e3;
  },
};

/** Fails if the library was not loaded. Otherwise a fault that never happened would reach every target. */
const untilMoved = (service, part, ahead) =>
  waitUntil(
    `the clock of ${part} is ${ahead} s ahead`,
    async () => Math.abs((await timeOf[part](service)) - Date.now() / 1e3 - ahead) <= TOLERANCE_S,
    { timeoutMs: 5_000, intervalMs: 100 },
  );

/** Files of the running rehearsal by part. @type {Record<string, string>} */
const clocks = {};

export const clockJumps = rehearsal({
  name: 'reliability/clock',
  question: 'What happens when the clock of Redis or of a gateway jumps by an hour?',
  remark:
    'Only the time of day jumps; the monotonic clock goes on, as it does when a clock is set. Each jump is undone at the end of the fault, which is a jump the other way.',
  shortest: 'one gateway an hour ahead',
  options: () => {
    const folder = temporaryFolder();
    const library = compile(folder);
    for (const part of Object.keys(timeOf)) {
      clocks[part] = join(folder, `${part.replace(' ', '-')}.clock`);
      writeFileSync(clocks[part], encode(0));
    }
    return {
      envOf: (part) => (part in clocks ? { LD_PRELOAD: library, REHEARSAL_CLOCK: clocks[part] } : {}),
    };
  },
  faults: (service) => {
    const jump = (name, parts, seconds) => {
      const set = async (ahead) => {
        for (const part of parts) setClock(clocks[part], ahead);
        for (const part of parts) await untilMoved(service, part, ahead);
      };
      return { name, begin: () => set(seconds), end: () => set(0) };
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
