/**
 * Writes archives that have the same bytes for the same files on every machine: files are sorted, and have one date and one
 * mode.
 */
import { deflateRawSync, gzipSync } from 'node:zlib';

/** Contents by path. @typedef {Readonly<Record<string, string | Buffer>>} Files */

/** The date that npm gives the files of packages, since ZIP has none before 1980: 26 October 1985, 08:15 UTC. */
const TAR_DATE = 499_162_500;
const ZIP_DATE = ((1985 - 1980) << 9) | (10 << 5) | 26;
const ZIP_TIME = (8 << 11) | (15 << 5);
const MODE = 0o644;
const BLOCK = 512;

/** @param {Files} files */
const entriesOf = (files) =>
  Object.entries(files)
    .map(([path, content]) => ({ path, content: Buffer.from(content) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

/** @param {Files} files @returns {Buffer} a gzipped tar archive in the format ustar */
export function tarGz(files) {
  const blocks = entriesOf(files).flatMap(({ path, content }) => [
    tarHeader(path, content.length),
    content,
    Buffer.alloc(-content.length & (BLOCK - 1)),
  ]);
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // The byte that names the operating system.
  archive[9] = 255;
  return archive;
}

/** @param {string} path @param {number} size @returns {Buffer} @throws {Error} for a path of over 100 bytes */
function tarHeader(path, size) {
  if (Buffer.byteLength(path) > 100) throw new Error(`The path ${path} is too long for an archive.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (/** @type {number} */ value, /** @type {number} */ at, /** @type {number} */ length) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at);
  header.write(path, 0);
  octal(MODE, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(TAR_DATE, 136, 12);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

/** @param {Files} files @returns {Buffer} a ZIP archive */
export function zip(files) {
  /** @type {Buffer[]} */
  const parts = [];
  /** @type {Buffer[]} */
  const directory = [];
  let offset = 0;
  for (const { path, content } of entriesOf(files)) {
    const name = Buffer.from(path);
    const compressed = deflateRawSync(content, { level: 9 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version 2.0
    common.writeUInt16LE(0x800, 2); // UTF-8 names
    common.writeUInt16LE(8, 4); // deflate
    common.writeUInt16LE(ZIP_TIME, 6);
    common.writeUInt16LE(ZIP_DATE, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(compressed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100000 | MODE) * 0x10000, 6);
    rest.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\x03\x04'), common, name, compressed);
    // Made on Unix, so that the mode counts.
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, name);
    offset += 30 + name.length + compressed.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, index, Buffer.from('PK\x05\x06'), end]);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The checksum of ZIP. That of Node needs version 20.15. @param {Buffer} content */
function crc32(content) {
  let crc = 0xffffffff;
  for (const byte of content) crc = (crc >>> 8) ^ /** @type {number} */ (CRC_TABLE[(crc ^ byte) & 0xff]);
  return ~crc >>> 0;
}
