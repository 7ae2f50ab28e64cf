/** Secrets that must be read again, encrypted before they are stored. */
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
   * @param place where the sealed text will lie; it opens nowhere else.
   * @returns nonce, tag and ciphertext, base64.
   */
  seal(text: string, place: string): string {
    return seal(this.key, Buffer.from(text), place).toString('base64');
  }

  /** @throws Error when it was sealed with another secret, for another place, or changed since. */
  open(sealed: string, place: string): string {
    return open(this.key, Buffer.from(sealed, 'base64'), place).toString('utf8');
  }
}
