/**
 * The format of API keys: `presenza_live_` or `presenza_test_`, 30 random characters, 6 of checksum, all base62.
 * The checksum lets secret scanners and clients recognize a key. The gateway ignores it: a faster response for a
 * mistyped key than for an unknown one would help to guess keys.
 */
import { createHash, createHmac } from 'node:crypto';
import brand from '@presenza/contract/brand.json';
import { encodeBase62, randomBase62 } from '../../crypto/base62';

export type KeyMode = 'live' | 'test';

const secretLength = 30;
const checksumLength = 6;

export function generateKey(mode: KeyMode): string {
  const body = `${brand.keyPrefix}_${mode}_${randomBase62(secretLength)}`;
  return body + checksum(body);
}

/** The hash that is stored instead of a key: HMAC-SHA-256 under the operator's secret, as hex. */
export function hashKey(key: string, secret: string): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(key).digest('hex');
}

/** The first 48 bits of SHA-256, modulo 62^6. */
function checksum(body: string): string {
  const digest = createHash('sha256').update(body).digest();
  return encodeBase62(digest.readUIntBE(0, 6) % 62 ** checksumLength, checksumLength);
}
