/** Encrypts secrets before they are stored, so that they can be read again. */
import { hkdfSync } from 'node:crypto';
import { keyBytes, open, seal } from './sealing';

export class Vault {
  private readonly key: Buffer;

  /**
   * @param secret the operator's, as hex.
   * @param purpose separates the derived key from those for other purposes (HKDF's info, RFC 5869).
   */
  constructor(secret: string, purpose: string) {
    this.key = Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', purpose, keyBytes));
  }

  /**
   * @param place where the sealed text will be stored; it opens only with the same place.
   * @returns nonce, tag and ciphertext, base64.
   */
  seal(text: string, place: string): string {
    return seal(this.key, Buffer.from(text), place).toString('base64');
  }

  /** @throws Error if it was sealed with another secret or for another place, or was modified */
  open(sealed: string, place: string): string {
    return open(this.key, Buffer.from(sealed, 'base64'), place).toString('utf8');
  }
}
