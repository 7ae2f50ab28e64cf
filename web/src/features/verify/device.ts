/** A random id that this browser keeps, so that failed checks can be counted per device. It says nothing else. */
const STORAGE_KEY = 'verify-device';
const BYTES = 16;

type Means = Pick<Window & typeof globalThis, 'crypto' | 'localStorage' | 'Uint8Array'>;

/** @returns 32 hex digits; new ones on every visit where storage is refused */
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

/** The array is the one that is passed in: naming the global would bring 6 KB of polyfills that nothing here needs. */
function randomId({ crypto, Uint8Array: Bytes }: Means): string {
  const bytes = crypto.getRandomValues(new Bytes(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
