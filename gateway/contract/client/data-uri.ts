/** Converts images into the form that the API accepts. */
import { PresenzaError } from './errors.ts';

/** A JPEG, PNG, WebP, GIF or HEIC image: its bytes, a Blob or File, or a base64 data URI. */
export type ImageInput = string | Uint8Array | Blob;

/** A request with images in every form that the client accepts. */
export type WithImages<Request, Fields extends keyof Request> = {
  [Field in keyof Request]: Request[Field] | (Field extends Fields ? ImageInput : never);
};

/**
 * Returns a copy of a request in which images are data URIs.
 * @throws {PresenzaError} INVALID_IMAGE if bytes are not a JPEG, PNG, WebP, GIF or HEIC image, or cannot be read
 */
export async function withDataUris(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return dataUri(value);
  // k6 has no Blob.
  if (typeof Blob !== 'undefined' && value instanceof Blob) return dataUri(await bytesOf(value));
  if (Array.isArray(value)) return Promise.all(value.map(withDataUris));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, field]) => [name, await withDataUris(field)]);
  return Object.fromEntries(await Promise.all(entries));
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Encodes a JPEG, PNG, WebP, GIF or HEIC image as a base64 data URI. Its first bytes define the format.
 * @throws {PresenzaError} INVALID_IMAGE if the bytes are in none of these formats
 */
export function dataUri(bytes: Uint8Array): string {
  return `data:image/${formatOf(bytes)};base64,${base64(bytes)}`;
}

function formatOf(bytes: Uint8Array): string {
  const starts = (signature: readonly number[], offset = 0) =>
    signature.every((byte, i) => bytes[offset + i] === byte);
  if (starts([0xff, 0xd8, 0xff])) return 'jpeg';
  if (starts([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'png';
  // RIFF, four bytes of length, WEBP
  if (starts([0x52, 0x49, 0x46, 0x46]) && starts([0x57, 0x45, 0x42, 0x50], 8)) return 'webp';
  if (starts([0x47, 0x49, 0x46, 0x38])) return 'gif';
  // Four bytes of length, and the name of a brand. The service explains why it refuses sequences.
  if (/^ftyp(hei[cxms]|hev[cxms]|mif[12]|msf1|miaf)$/.test(String.fromCharCode(...bytes.subarray(4, 12)))) {
    return 'heic';
  }
  const message = 'The bytes are not a JPEG, PNG, WebP, GIF or HEIC image.';
  throw new PresenzaError({ code: 'INVALID_IMAGE', reason: 'format', message });
}

/** A Blob may stand for a file that has changed or is gone. */
async function bytesOf(blob: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch (cause) {
    throw new PresenzaError({ code: 'INVALID_IMAGE', message: 'The image cannot be read.', cause });
  }
}

/** k6 has neither Buffer nor btoa. */
function base64(bytes: Uint8Array): string {
  if (typeof Buffer !== 'undefined')
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const pieces: string[] = [];
  for (let i = 0; i < bytes.length; i += 3) pieces.push(quartet(bytes, i));
  return pieces.join('');
}

/** Encodes three bytes as four characters (RFC 4648, section 4), with = as padding after the end. */
function quartet(bytes: Uint8Array, i: number): string {
  const [a = 0, b = 0, c = 0] = [bytes[i], bytes[i + 1], bytes[i + 2]];
  const bits = (a << 16) | (b << 8) | c;
  const at = (shift: number) => ALPHABET[(bits >> shift) & 63];
  const left = bytes.length - i;
  return `${at(18)}${at(12)}${left > 1 ? at(6) : '='}${left > 2 ? at(0) : '='}`;
}
