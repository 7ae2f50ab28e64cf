/** Codes of an authenticator app as the second factor (RFC 6238: SHA-1, six digits, 30 seconds), and recovery codes. */
import brand from '@presenza/contract/brand.json';
import { randomBase62 } from '../../crypto/base62';
import { hashOf } from './secrets';
import type { OneTimePasswords } from './users';

/** Its dependencies are ES modules, which `require` loads only from Node 20.19 on. */
const otplib = () => import('otplib');

const periodSeconds = 30;
const recoveryCodeCount = 10;
/** 113 bits, so that a plain hash suffices (OWASP ASVS 5.0.0, 6.5.2). */
const recoveryCodeLength = 19;

/** @returns the secret, and the address that authenticator apps read as a QR code */
export async function newOneTimePasswords(
  email: string,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const { generateSecret, generateURI } = await otplib();
  const secret = generateSecret();
  return { secret, uri: generateURI({ issuer: brand.name, label: email, secret }) };
}

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => randomBase62(recoveryCodeLength));

/**
 * @param code of the app or a recovery code
 * @param now milliseconds since 1970
 * @returns what to store, so that the code works once; undefined if it is wrong
 */
export async function useCode(
  known: OneTimePasswords,
  code: string,
  now: number,
): Promise<OneTimePasswords | undefined> {
  const hashed = hashOf(code.trim());
  if (known.recoveryCodes.includes(hashed)) {
    return { ...known, recoveryCodes: known.recoveryCodes.filter((code) => code !== hashed) };
  }
  const token = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const epoch = Math.floor(now / 1_000);
  const { verify } = await otplib();
  // One step back and ahead, because clocks differ.
  const result = await verify({
    secret: known.secret,
    token,
    epoch,
    epochTolerance: periodSeconds,
    ...(known.lastStep > 0 && { afterTimeStep: known.lastStep }),
  });
  if (!result.valid) return undefined;
  return { ...known, lastStep: Math.floor(epoch / periodSeconds) + result.delta };
}
