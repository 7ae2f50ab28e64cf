/**
 * The format of API keys: `presenza_live_` or `presenza_test_`, 30 random characters, 6 of checksum, all base62.
 * The checksum tells a mistyped key from an unknown one without a look-up, and lets secret scanners avoid false
 * alarms; it protects nothing.
 */
import { createHash, createHmac } from 'node:crypto';
import brand from '@presenza/contract/brand.json';
import { encodeBase62, randomBase62 } from './base62';

export type KeyMode = 'live' | 'test';

const secretLength = 30;
const checksumLength = 6;
const format = new RegExp(`^${brand.keyPrefix}_(live|test)_([0-9A-Za-z]{${secretLength + checksumLength}})$`);

export function generateKey(mode: KeyMode): string {
  const body = `${brand.keyPrefix}_${mode}_${randomBase62(secretLength)}`;
  return body + checksum(body);
}

/** Whether a text has the form of a key and its checksum fits. */
export function isWellFormed(key: string): boolean {
  return format.test(key) && checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength);
}

/** What is stored instead of a key: HMAC-SHA-256 under the operator's secret, as hex. */
export function hashKey(key: string, secret: string): string {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(key).digest('hex');
}

function checksum(body: string): string {
  const digest = createHash('sha256').update(body).digest();
  return encodeBase62(digest.readUIntBE(0, 6) % 62 ** checksumLength, checksumLength);
}
