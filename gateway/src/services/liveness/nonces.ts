/**
 * One-time numbers of frames. A nonce is `NUMBER-MAC`: an HMAC over attempt and number under a key that only the
 * gateways can open, so that they need not be stored. Whoever sends a frame was given its nonce in an answer shortly
 * before: no frame can come before the ones it answers to, and none twice.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Nonces that are out at any time: as many frames may be under way. */
export const outstanding = 3;

const macBytes = 16;
const form = /^(\d{1,4})-([\w-]{22})$/;

/** @param key secret of the session, 32 bytes. */
export function nonceOf(key: Buffer, attemptId: string, number: number): string {
  return `${number}-${macOf(key, attemptId, number).toString('base64url')}`;
}

/** @returns the number of the frame; undefined for a nonce that was not made for this attempt. */
export function numberOf(key: Buffer, attemptId: string, nonce: string): number | undefined {
  const [, digits, mac = ''] = form.exec(nonce) ?? [];
  if (digits === undefined) return undefined;
  const expected = macOf(key, attemptId, Number(digits));
  const given = Buffer.from(mac, 'base64url');
  return given.length === macBytes && timingSafeEqual(given, expected) ? Number(digits) : undefined;
}

const macOf = (key: Buffer, attemptId: string, number: number): Buffer =>
  createHmac('sha256', key).update(`frame nonce|${attemptId}|${number}`).digest().subarray(0, macBytes);
