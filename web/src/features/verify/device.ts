/** A random id that this browser keeps, so that failed checks can be counted per device. It says nothing else. */
const STORAGE_KEY = 'verify-device';
const BYTES = 16;

/** @returns 32 hex digits; new ones on every visit where storage is refused */
export function deviceId({
  crypto,
  localStorage,
}: Pick<Window, 'localStorage'> & { crypto: Crypto }): string {
  const fresh = () =>
    Array.from(crypto.getRandomValues(new window.Uint8Array(BYTES)), (byte) =>
      byte.toString(16).padStart(2, '0'),
    ).join('');
  try {
    const kept = localStorage.getItem(STORAGE_KEY);
    if (kept && /^[0-9a-f]{32}$/.test(kept)) return kept;
    const id = fresh();
    localStorage.setItem(STORAGE_KEY, id);
    return id;
  } catch {
    return fresh();
  }
}
