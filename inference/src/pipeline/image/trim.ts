/**
 * Removes invisible and expensive parts of a file before it is decoded: text in PNG files, which may expand to megabytes
 * per chunk, and all but the first frame of a WebP animation, because decoding takes quadratic time in the number of
 * frames (a minute for five megabytes).
 */

interface Chunk {
  readonly type: string;
  readonly start: number;
  /** After the last byte. */
  readonly end: number;
}

/** @returns the same image in a shorter file, or the given bytes if there is nothing to remove */
export function trim(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.subarray(0, 8).equals(pngSignature)) {
    return without(file, pngChunks(file), ({ type }) => commentChunks.has(type)) ?? bytes;
  }
  // The decoder refuses a truncated file.
  if (!/^RIFF....WEBP/s.test(file.toString('latin1', 0, 12)) || riffEnd(file) > file.length) return bytes;
  let frames = 0;
  const shorter = without(file, webpChunks(file), ({ type }) => type === 'ANMF' && ++frames > 1);
  shorter?.writeUInt32LE(riffEnd(shorter) - 8 - (file.length - shorter.length), 4);
  return shorter ?? bytes;
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const commentChunks = new Set(['tEXt', 'zTXt', 'iTXt']);

function* pngChunks(file: Buffer): Generator<Chunk> {
  for (let start = 8; start + 8 <= file.length; ) {
    // Length, type and checksum take twelve bytes beside the data.
    const end = Math.min(file.length, start + 12 + file.readUInt32BE(start));
    yield { type: file.toString('latin1', start + 4, start + 8), start, end };
    start = end;
  }
}

const riffEnd = (file: Buffer) => 8 + file.readUInt32LE(4);

function* webpChunks(file: Buffer): Generator<Chunk> {
  for (let start = 12; start + 8 <= riffEnd(file); ) {
    const length = file.readUInt32LE(start + 4);
    const end = Math.min(riffEnd(file), start + 8 + length + (length % 2));
    yield { type: file.toString('latin1', start, start + 4), start, end };
    start = end;
  }
}

/** @returns the file without unwanted chunks; undefined if it has none */
function without(
  file: Buffer,
  chunks: Iterable<Chunk>,
  isUnwanted: (chunk: Chunk) => boolean,
): Buffer | undefined {
  const kept: Buffer[] = [];
  let from = 0;
  for (const chunk of chunks) {
    if (!isUnwanted(chunk)) continue;
    if (chunk.start > from) kept.push(file.subarray(from, chunk.start));
    from = chunk.end;
  }
  return from === 0 ? undefined : Buffer.concat([...kept, file.subarray(from)]);
}
