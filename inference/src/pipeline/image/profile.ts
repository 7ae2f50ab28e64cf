/** Color profiles whose transform would take unbounded time. */

/** Tags that a profile may have; the color library reads no more. */
const maxTags = 100;
const headerBytes = 132;

/**
 * Whether a profile has a chain of processing elements (ICC.1:2022, 10.16). Every color passes all elements, of which a
 * profile of 5 MB holds tens of thousands: they took more than 40 seconds. Such profiles also have tables, which old readers
 * use, and are rare in photographs.
 */
export function isChain(profile: Buffer): boolean {
  if (profile.length < headerBytes) return false;
  const count = Math.min(maxTags, profile.readUInt32BE(128));
  for (let at = headerBytes; at + 12 <= Math.min(profile.length, headerBytes + 12 * count); at += 12) {
    const start = profile.readUInt32BE(at + 4);
    if (profile.toString('latin1', start, start + 4) === 'mpet') return true;
  }
  return false;
}
