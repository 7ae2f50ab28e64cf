/** A full disk under Redis: Redis refuses writes, and gateways treat it as unavailable. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Skip } from '../lib/skip.mjs';
import { rehearsal } from './rehearsal.mjs';

/** Room for the append-only file of one rehearsal, and little to fill. */
const SIZE = '32m';

/** @type {string | undefined} */
let disk;

/** Mounts a small disk in memory. @throws Skip where this user may not mount one */
function mount() {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-disk-'));
  const args = ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'presenza', folder];
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
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

/** Fills the disk to the last byte. @param {string} file */
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

export const fullDisk = rehearsal({
  name: 'reliability/full-disk',
  question: 'What happens when the disk with the append-only file of Redis is full?',
  remark: `Redis on a disk of ${SIZE}, filled to its last byte and freed again; the journals of the gateways are on another disk. Redis responds to writes with MISCONF until it can write the file again, which it tries each second.`,
  shortest: 'full disk',
  options: () => ({ redis: { folder: mount() } }),
  faults: ({ redisFolder }) => {
    const filler = join(redisFolder, 'filler');
    return [{ name: 'full disk', begin: () => fill(filler), end: () => rmSync(filler) }];
  },
  cleanUp: unmount,
});
