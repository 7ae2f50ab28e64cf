/** Encrypts secrets before they are stored, so that they can be read again. */
import { createHmac, hkdfSync } from 'node:crypto';
import { keyBytes, nonceBytes, open, seal } from './sealing';

export class Vault {
  private readonly key: Buffer;
  private readonly nonceKey: Buffer;

  /**
   * @param secret the operator's, as hex.
   * @param purpose separates the derived key from those for other purposes (HKDF's info, RFC 5869).
   */
  constructor(secret: string, purpose: string) {
    const derive = (info: string) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'hex'), '', info, keyBytes));
    this.key = derive(purpose);
    this.nonceKey = derive(`${purpose} nonces`);
  }

  /**
   * @param place where the sealed text will be stored; it opens only with the same place.
   * @returns nonce, tag and ciphertext, base64.
   */
  seal(text: string, place: string): string {
    return seal(this.key, Buffer.from(text), place).toString('base64');
  }

  /**
   * Seals as `seal` does, but the same text for the same place always gives the same result. The nonce is a keyed hash
   * of both, so that no two texts share one (the idea of SIV, RFC 5297).
   */
  sealAlike(text: string, place: string): string {
    const digest = createHmac('sha256', this.nonceKey).update(`${place}\0${text}`).digest();
    return seal(this.key, Buffer.from(text), place, digest.subarray(0, nonceBytes)).toString('base64');
  }

  /** @throws Error if it was sealed with another secret or for another place, or was modified */
  open(sealed: string, place: string): string {
    try {
      return open(this.key, Buffer.from(sealed, 'base64'), place).toString('utf8');
    } catch (cause) {
      throw new Error('Stored data does not open: KEY_SECRET was another, or the data was changed', {
        cause,
      });
    }
  }
}
