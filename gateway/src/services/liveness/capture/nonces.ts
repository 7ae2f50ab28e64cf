/**
 * One-time numbers of frames. A nonce is `NUMBER-MAC`: an HMAC over attempt and number under the session's
 * key, so that none needs to be stored. Whoever sends a frame was given its nonce in an answer shortly
 * before: no frame can come before the ones it answers to, and none twice.
 */
import { timingSafeEqual } from 'node:crypto';
import limits from '@presenza/contract/limits.json';
import type { DataKey } from '../session/data-key';

/** Nonces that are out at any time: as many frames may be under way. */
export const outstanding = limits.liveness.attempt.maxFramesUnderWay;

const macBytes = 16;
const form = /^(\d{1,4})-([\w-]{22})$/;

/** A number that no frame has. */
export const notGiven = 0;

/** @param number 1 to 9999 */
export function nonceOf(key: DataKey, attemptId: string, number: number): string {
  return `${number}-${macOf(key, attemptId, number).toString('base64url')}`;
}

/** @returns the number of the frame; undefined for a nonce that was not made for this attempt. */
export function numberOf(key: DataKey, attemptId: string, nonce: string): number | undefined {
  const [, digits, mac = ''] = form.exec(nonce) ?? [];
  if (digits === undefined) return undefined;
  const expected = macOf(key, attemptId, Number(digits));
  const given = Buffer.from(mac, 'base64url');
  return given.length === macBytes && timingSafeEqual(given, expected) ? Number(digits) : undefined;
}

const macOf = (key: DataKey, attemptId: string, number: number): Buffer =>
  key.mac(`frame nonce|${attemptId}|${number}`).subarray(0, macBytes);
