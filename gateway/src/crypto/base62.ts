import { createHash, randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes below this map to each character equally often; the others are skipped. */
const fair = 256 - (256 % alphabet.length);

/** Filled for many texts at once, because each call to the generator is slow. No byte is used twice. */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** Random text of `length` characters of 0-9A-Za-z, 5.95 bits each, from the system's generator. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const byte = pool[used] as number;
    pool[used++] = 0;
    if (byte < fair) text += alphabet[byte % alphabet.length];
  }
  return text;
}

/** Text of `length` characters of 0-9A-Za-z, at most 32, that is the same for the same input: from its SHA-256. */
export function derivedBase62(input: string, length: number): string {
  const digest = createHash('sha256').update(input).digest();
  return Array.from(digest.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** A number below 62^length as exactly `length` characters. */
export function encodeBase62(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = alphabet[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
