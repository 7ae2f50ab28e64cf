/** The key of one session. It seals all of the session's data, so that deleting the key erases the data. */
import { createHmac, randomBytes } from 'node:crypto';
import { keyBytes, open, seal } from '../../../crypto/sealing';

export class DataKey {
  private constructor(private readonly bytes: Buffer) {}

  static create(): DataKey {
    return new DataKey(randomBytes(keyBytes));
  }

  /** @param text as `toText` wrote it. */
  static parse(text: string): DataKey {
    return new DataKey(Buffer.from(text, 'base64'));
  }

  /** The text that the vault seals. */
  toText(): string {
    return this.bytes.toString('base64');
  }

  /**
   * @param place of the sealed bytes; they open only for the same place.
   * @returns the sealed bytes, 28 more than `data`.
   */
  seal(data: Uint8Array, place: string): Buffer {
    return seal(this.bytes, data, place);
  }

  /** @throws Error if it was sealed by another key or for another place, or was modified. */
  open(sealed: Buffer, place: string): Buffer {
    return open(this.bytes, sealed, place);
  }

  /** JSON, sealed, as base64. */
  sealValue(value: unknown, place: string): string {
    return this.seal(Buffer.from(JSON.stringify(value)), place).toString('base64');
  }

  /** @throws Error as `open` does */
  openValue(sealed: string, place: string): unknown {
    return JSON.parse(this.open(Buffer.from(sealed, 'base64'), place).toString('utf8'));
  }

  /** HMAC-SHA-256 of a text, 32 bytes, under a key that is derived from this one for this purpose only. */
  mac(text: string): Buffer {
    const key = createHmac('sha256', this.bytes).update('mac').digest();
    return createHmac('sha256', key).update(text).digest();
  }
}
