/** What happens when the disk of Redis is full: it refuses to write, and gateways treat it as away. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Skip } from '../lib/skip.mjs';
import { rehearsals } from './rehearsals.mjs';

/** Room for the append-only file of one rehearsal, and little to fill. */
const DISK = '32m';

/** @type {string | undefined} */
let disk;

/** A small disk of its own, in memory. @throws Skip where this user may not mount one */
function mount() {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-disk-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'presenza', folder], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Skip(`A small disk for Redis cannot be mounted here: ${stderr?.trim() || 'no mount command'}`);
  }
  disk = folder;
  process.once('exit', unmount);
  return folder;
}

function unmount() {
  if (!disk) return;
  spawnSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true, force: true });
  disk = undefined;
}

/** To the last byte. @param {string} file */
function fill(file) {
  const fd = openSync(file, 'w');
  for (let size = 1 << 20; size >= 1; ) {
    try {
      if (writeSync(fd, Buffer.alloc(size)) < size) size >>= 1;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOSPC') throw error;
      size >>= 1;
    }
  }
  closeSync(fd);
}

export const fullDisk = rehearsals({
  name: 'faults/full-disk',
  answers: 'What happens when the disk with the append-only file of Redis is full?',
  remark: `Redis on a disk of ${DISK}, filled to its last byte and freed again; the journals of the gateways are on another. Redis answers MISCONF to writes until the file can be written again, which it tries each second.`,
  setting: () => ({ redisFolder: mount() }),
  faults: ({ redisFolder }) => {
    const filler = join(redisFolder, 'filler');
    const free = () => rmSync(filler);
    return [{ name: 'full disk', begin: () => fill(filler), end: free }];
  },
  clear: unmount,
});
