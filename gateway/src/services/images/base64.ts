/** Decodes strict base64 from the bytes of a request. */

/** Bytes of text to convert to a string at once; a multiple of 4. */
const stepBytes = 64 * 1024;

const equalsSign = 0x3d;
const minus = 0x2d;
const underscore = 0x5f;

/**
 * Decodes standard base64 (RFC 4648, 4) in its canonical form. Only the padding is optional.
 * @param text ASCII.
 * @returns the decoded bytes, or undefined for any other text.
 */
export function decodeBase64(text: Buffer): Buffer | undefined {
  // Node's decoder also accepts the URL-safe alphabet.
  if (text.includes(minus) || text.includes(underscore)) return undefined;
  const digits = text.subarray(0, text.length - paddingOf(text));
  const bytes = Buffer.allocUnsafe(Math.floor((digits.length * 3) / 4));
  let size = 0;
  for (let at = 0; at < digits.length; at += stepBytes) {
    const string = digits.toString('latin1', at, at + stepBytes);
    // It skips other characters and stops at padding. Either way, fewer bytes result than the digits encode.
    if (bytes.write(string, size, 'base64') !== Math.floor((string.length * 3) / 4)) return undefined;
    size += Math.floor((string.length * 3) / 4);
  }
  return endsCleanly(digits, bytes) ? bytes : undefined;
}

/** Padding completes the last group of four, so text of another length has none. */
function paddingOf(text: Buffer): number {
  if (text.length % 4 !== 0 || text.at(-1) !== equalsSign) return 0;
  return text.at(-2) === equalsSign ? 2 : 1;
}

/** Whether an incomplete last group has no surplus bits and more than one digit. */
function endsCleanly(digits: Buffer, bytes: Buffer): boolean {
  const last = digits.toString('latin1', digits.length - (digits.length % 4));
  return bytes.toString('base64', bytes.length - (bytes.length % 3)).replaceAll('=', '') === last;
}
