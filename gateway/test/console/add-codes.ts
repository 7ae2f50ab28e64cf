import { generateSync } from 'otplib';
import type { Person } from './console-gateway';

/** Adds an authenticator app. @returns the recovery codes */
export async function addCodes({ browser }: Pick<Person, 'browser'>): Promise<readonly string[]> {
  const { ticket, secret } = await browser.data('POST', '/profile/codes');
  const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) });
  return (await browser.data('POST', '/profile/codes/confirm', { ticket, code })).recoveryCodes;
}
