/**
 * Writes archives that have the same bytes for the same files on every machine: files are sorted, and have one date and one
 * mode.
 */
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import Zip from 'adm-zip';
import { pack } from 'tar-stream';

/** Contents by path. @typedef {Readonly<Record<string, string | Buffer>>} Files */

const mode = 0o644;
/** The date that npm gives the files of packages, since ZIP has none before 1980: 26 October 1985, 08:15. */
const date = { utc: new Date(Date.UTC(1985, 9, 26, 8, 15)), local: new Date(1985, 9, 26, 8, 15) };

/** @param {Files} files */
const entriesOf = (files) =>
  Object.entries(files)
    .map(([path, content]) => ({ path, content: Buffer.from(content) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

/** @param {Files} files @returns {Promise<Buffer>} a gzipped tar archive */
export async function tarGz(files) {
  const archive = pack();
  for (const { path, content } of entriesOf(files)) {
    archive.entry({ name: path, mode, mtime: date.utc }, content);
  }
  archive.finalize();
  const compressed = gzipSync(await buffer(archive), { level: 9 });
  // The byte that names the operating system.
  compressed[9] = 255;
  return compressed;
}

/** @param {Files} files @returns {Buffer} a ZIP archive */
export function zip(files) {
  const archive = new Zip(undefined, { noSort: true });
  for (const { path, content } of entriesOf(files)) {
    const { header } = archive.addFile(path, content, '', mode);
    // ZIP has no time zone, and the library writes local time.
    header.time = date.local;
    // Made on Unix, so that the mode counts.
    header.made = 0x0314;
  }
  return archive.toBuffer();
}
