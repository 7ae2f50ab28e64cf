/** Archives that common programs unpack, with the same bytes in each build. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { tarGz, zip } from './archives.mjs';

const files = {
  'b/second.txt': 'é'.repeat(2000),
  'a/empty.txt': '',
  'a/binary': Buffer.from([0, 255, 10, 13]),
  [`c/${'long'.repeat(40)}`]: 'longer than the names of the oldest format',
};
const contents = Object.entries(files)
  .map(([path, content]) => [path, Buffer.from(content)] as const)
  .sort(([a], [b]) => (a < b ? -1 : 1));

test('tar unpacks an archive, whose files have one date and one mode', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'presenza-archive-'));
  try {
    writeFileSync(join(folder, 'files.tgz'), await tarGz(files));
    const listed = execFileSync('tar', ['-t', '-v', '-z', '-f', 'files.tgz'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    });
    expect(listed.trim().split('\n')).toEqual(
      contents.map(([path]) => expect.stringMatching(new RegExp(`^-rw-r--r-- .* 1985-10-26 08:15 ${path}$`))),
    );
    execFileSync('tar', ['-xzf', 'files.tgz'], { cwd: folder });
    for (const [path, content] of contents) expect(readFileSync(join(folder, path))).toEqual(content);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a ZIP archive has every file with its checksum', () => {
  const entries = new AdmZip(zip(files)).getEntries();
  expect(entries.map((entry) => [entry.entryName, entry.getData()])).toEqual(contents);
});

test.each([
  ['tar', tarGz],
  ['ZIP', zip],
])('the order of the files does not change the bytes of a %s archive', async (_, pack) => {
  const reversed = Object.fromEntries(Object.entries(files).reverse());
  expect((await pack(reversed)).equals(await pack(files))).toBe(true);
});
