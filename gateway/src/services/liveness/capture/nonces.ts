/**
 * Nonces of frames. A nonce is `NUMBER-MAC`, with an HMAC over attempt and number under the session's key, so that the
 * store keeps none. Each frame needs a nonce from a recent response, so it cannot be recorded in advance or sent twice.
 */
import { timingSafeEqual } from 'node:crypto';
import limits from '@presenza/contract/limits.json';
import type { DataKey } from '../session/data-key';

/** Unused nonces at any time, and so the frames that may be under way. */
export const outstanding = limits.liveness.attempt.maxFramesUnderWay;

const macBytes = 16;
const form = /^(\d{1,4})-([\w-]{22})$/;

/** Stands for a nonce that was never issued. */
export const notIssued = 0;

/** @param number 1 to 9999 */
export function nonceOf(key: DataKey, attemptId: string, number: number): string {
  return `${number}-${macOf(key, attemptId, number).toString('base64url')}`;
}

/** @returns the number of the frame; undefined for a nonce that does not belong to this attempt. */
export function numberOf(key: DataKey, attemptId: string, nonce: string): number | undefined {
  const [, digits, mac = ''] = form.exec(nonce) ?? [];
  if (digits === undefined) return undefined;
  const expected = macOf(key, attemptId, Number(digits));
  const given = Buffer.from(mac, 'base64url');
  return given.length === macBytes && timingSafeEqual(given, expected) ? Number(digits) : undefined;
}

const macOf = (key: DataKey, attemptId: string, number: number): Buffer =>
  key.mac(`frame nonce|${attemptId}|${number}`).subarray(0, macBytes);
