/** Authenticated encryption (AES-256-GCM) that binds the bytes to the place where they are stored. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
export const keyBytes = 32;
/** NIST SP 800-38D recommends a nonce of 96 bits. */
export const nonceBytes = 12;
const tagBytes = 16;

/**
 * @param place where the sealed bytes will be stored; they open only with the same place.
 * @param nonce never the same for other data under this key. Random by default.
 * @returns nonce, tag and ciphertext.
 */
export function seal(
  key: Buffer,
  data: Uint8Array,
  place: string,
  nonce: Buffer = randomBytes(nonceBytes),
): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(data), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @throws Error if it was sealed with another key or for another place, or was modified */
export function open(key: Buffer, sealed: Buffer, place: string): Buffer {
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), options)
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
