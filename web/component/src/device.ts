/** The id of this browser, and the kind of its device. */
import { hex } from './bytes';
import type { DeviceType } from './wire';

const STORAGE_KEY = 'verify-device';
const BYTES = 16;

/**
 * A random, persistent id of this browser, which only serves to count failed checks per device.
 * @returns 32 hex digits, which differ on each visit if storage is denied
 */
export function deviceId(window: Pick<Window, 'localStorage'>): string {
  try {
    const kept = window.localStorage.getItem(STORAGE_KEY);
    if (kept && /^[0-9a-f]{32}$/.test(kept)) return kept;
    const id = randomId();
    window.localStorage.setItem(STORAGE_KEY, id);
    return id;
  } catch {
    return randomId();
  }
}

const randomId = () => hex(crypto.getRandomValues(new Uint8Array(BYTES)));

/** An iPad's browser names a Mac, which has no touch screen. Tablets with Android leave the word Mobile out. */
export function deviceType({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): DeviceType {
  if (/\b(iPad|Tablet)\b/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1))
    return 'tablet';
  if (/\b(Mobile|iPhone)\b/.test(userAgent)) return 'phone';
  return /\bAndroid\b/.test(userAgent) ? 'tablet' : 'desktop';
}
