/** Authenticated encryption of bytes that are bound to the place where they lie: AES-256-GCM. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
export const keyBytes = 32;
/** NIST SP 800-38D: 96 bits are the nonce that GCM is made for. */
const nonceBytes = 12;
const tagBytes = 16;

/**
 * @param place where the sealed bytes will lie; they open nowhere else.
 * @returns nonce, tag and ciphertext.
 */
export function seal(key: Buffer, data: Uint8Array, place: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(data), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** @throws Error when it was sealed with another key, for another place, or changed since. */
export function open(key: Buffer, sealed: Buffer, place: string): Buffer {
  const options = { authTagLength: tagBytes };
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), options)
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
