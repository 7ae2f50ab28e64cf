/** A random, persistent id of this browser, which only serves to count failed checks per device. */
const STORAGE_KEY = 'verify-device';
const BYTES = 16;

type Means = Pick<Window & typeof globalThis, 'crypto' | 'localStorage' | 'Uint8Array'>;

/** @returns 32 hex digits, which differ on each visit if storage is denied */
export function deviceId(window: Means): string {
  try {
    const kept = window.localStorage.getItem(STORAGE_KEY);
    if (kept && /^[0-9a-f]{32}$/.test(kept)) return kept;
    const id = randomId(window);
    window.localStorage.setItem(STORAGE_KEY, id);
    return id;
  } catch {
    return randomId(window);
  }
}

/** The constructor is injected, because using the global would add 6 KB of polyfills. */
function randomId({ crypto, Uint8Array: Bytes }: Means): string {
  const bytes = crypto.getRandomValues(new Bytes(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** An iPad's browser names a Mac, which has no touch screen. The gateway knows other devices by the request's headers. */
export const deviceType = ({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): { type?: 'tablet' } =>
  /Macintosh/.test(userAgent) && maxTouchPoints > 1 ? { type: 'tablet' } : {};
