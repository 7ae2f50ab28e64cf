/**
 * Removes invisible and expensive parts of a file before it is decoded: text in PNG files, which may expand to megabytes
 * per chunk, all but the first frame of a WebP animation, because decoding takes quadratic time in the number of frames (a
 * minute for five megabytes), and color profiles that are chains of processing elements.
 */
import { inflateSync } from 'node:zlib';
import { ImageError } from './image-error';
import { isJpeg } from './jpeg';
import { markers, startOfScan } from './jpeg-scans';
import { isChain } from './profile';

/** A WebP of 5 MB has a thousand chunks, an animation some ten thousand. */
const maxChunks = 100_000;
/** The decoder takes 4 µs for each chunk that it has seen before. */
const maxPngChunks = 20_000;

interface Chunk {
  readonly type: string;
  readonly start: number;
  /** Position after the last byte. */
  readonly end: number;
}

/** @returns the same image in a shorter file, or the given bytes if there is nothing to remove */
export function trim(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (isJpeg(file)) return trimJpeg(file) ?? bytes;
  if (file.subarray(0, 8).equals(pngSignature)) return trimPng(file) ?? bytes;
  return isWebp(file) ? (trimWebp(file) ?? bytes) : bytes;
}

/** Whether the file is a whole WebP; the decoder refuses a truncated one. */
export const isWebp = (file: Buffer) =>
  /^RIFF....WEBP/s.test(file.toString('latin1', 0, 12)) && riffEnd(file) <= file.length;

const profileName = 'ICC_PROFILE\0';
const application2 = 0xe2;

function trimJpeg(file: Buffer): Buffer | undefined {
  const segments: Chunk[] = [];
  for (const { marker, at, end } of markers(file)) {
    if (marker === startOfScan) break;
    const isProfile = marker === application2 && file.toString('latin1', at + 4, at + 16) === profileName;
    if (isProfile) segments.push({ type: 'profile', start: at, end: Math.min(end, file.length) });
  }
  if (segments.length === 0) return undefined;
  const profile = profileIn(file, segments);
  return profile && !isChain(profile) ? undefined : without(file, segments, () => true);
}

/**
 * The parts of a profile in the order of their numbers. Undefined unless the numbers are 1 and up, each once: readers differ in
 * the profile that they see then.
 */
function profileIn(file: Buffer, segments: readonly Chunk[]): Buffer | undefined {
  const parts = segments
    .map(({ start, end }) => ({ number: file[start + 16], data: file.subarray(start + 18, end) }))
    .sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  if (parts.some(({ number }, i) => number !== i + 1)) return undefined;
  return Buffer.concat(parts.map(({ data }) => data));
}

/** Larger profiles are not of photographs: those for printing have at most three megabytes. */
const maxProfileBytes = 8_000_000;

function trimPng(file: Buffer): Buffer | undefined {
  let profiles = 0;
  return without(
    file,
    pngChunks(file),
    ({ type, start, end }) => {
      // A file has one profile at most (PNG, 11.3.2.3). A file of 5 MB could hold 700 that expand to 8 MB each.
      if (type === 'iCCP' && ++profiles > 1) return true;
      const content = () => file.subarray(start + 8, Math.max(start + 8, end - 4));
      return commentChunks.has(type) || (type === 'iCCP' && isCostlyProfile(content()));
    },
    maxPngChunks,
  );
}

/** @param data a name, its end, the method of compression and the compressed profile. */
function isCostlyProfile(data: Buffer): boolean {
  try {
    return isChain(inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: maxProfileBytes }));
  } catch {
    // Too large, or damaged: the decoder may read it nevertheless.
    return true;
  }
}

function trimWebp(file: Buffer): Buffer | undefined {
  let frames = 0;
  let hadProfile = false;
  const isUnwanted = ({ type, start, end }: Chunk) => {
    if (type === 'ANMF') return ++frames > 1;
    const isCostly = type === 'ICCP' && isChain(file.subarray(start + 8, end));
    hadProfile ||= isCostly;
    return isCostly;
  };
  const shorter = without(file, webpChunks(file), isUnwanted);
  if (!shorter) return undefined;
  shorter.writeUInt32LE(riffEnd(shorter) - 8 - (file.length - shorter.length), 4);
  if (hadProfile && shorter.toString('latin1', 12, 16) === 'VP8X')
    shorter[20] = (shorter[20] as number) & ~hasProfile;
  return shorter;
}

/** A flag of the extended header of WebP. */
const hasProfile = 0x20;

/** Whether a WebP is animated or has lossless parts, which take longer to decode. */
export function isSlowWebp(file: Buffer): boolean {
  for (const { type } of webpChunks(file)) if (['ANMF', 'VP8L', 'ALPH'].includes(type)) return true;
  return false;
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

/** @returns the file without unwanted chunks; undefined if it has none. @throws ImageError for too many chunks */
function without(
  file: Buffer,
  chunks: Iterable<Chunk>,
  isUnwanted: (chunk: Chunk) => boolean,
  most = maxChunks,
): Buffer | undefined {
  const kept: Buffer[] = [];
  let from = 0;
  let count = 0;
  for (const chunk of chunks) {
    count += 1;
    if (count > most) throw new ImageError('corrupt');
    if (!isUnwanted(chunk)) continue;
    if (chunk.start > from) kept.push(file.subarray(from, chunk.start));
    from = chunk.end;
  }
  return from === 0 ? undefined : Buffer.concat([...kept, file.subarray(from)]);
}
