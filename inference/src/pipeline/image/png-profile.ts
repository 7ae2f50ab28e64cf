/** Adds a color profile to a PNG file. */
import { deflateSync } from 'node:zlib';

/** The signature and the header. */
const headBytes = 33;

/** @returns the file with the ICC profile behind its header */
export function withProfile(png: Buffer, profile: Uint8Array): Buffer {
  // A name, its end and the method of compression.
  const data = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)]);
  const chunk = Buffer.concat([uint32(data.length - 4), data, uint32(checksum(data))]);
  return Buffer.concat([png.subarray(0, headBytes), chunk, png.subarray(headBytes)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** CRC-32; the built-in one is newer than the oldest Node that is supported. */
function checksum(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
