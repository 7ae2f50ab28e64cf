/** Secrets that must be read again, encrypted before they are stored. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
/** NIST SP 800-38D: 96 bits are the nonce that GCM is made for. */
const nonceBytes = 12;
const tagBytes = 16;

export class Vault {
  private readonly key: Buffer;

  /**
   * @param secret the operator's, as hex.
   * @param purpose tells the key derived here from those for anything else (HKDF's info, RFC 5869).
   */
  constructor(secret: string, purpose: string) {
    this.key = Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', purpose, keyBytes));
  }

  /**
   * @param place where the sealed text will lie; it opens nowhere else.
   * @returns nonce, tag and ciphertext, base64.
   */
  seal(text: string, place: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.key, nonce).setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** @throws Error when it was sealed with another secret, for another place, or changed since. */
  open(sealed: string, place: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, nonceBytes), options)
      .setAAD(Buffer.from(place))
      .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}
