/** Strict base64, decoded from the bytes in which it arrived. */

/** Bytes of text that are a string at one time; a multiple of 4. */
const stepBytes = 64 * 1024;

const equalsSign = 0x3d;
const minus = 0x2d;
const underscore = 0x5f;

/**
 * Standard base64 (RFC 4648, 4) as one encoder would write it; only the padding may be left out.
 * @param text ASCII.
 * @returns the decoded bytes, or undefined when the text is anything else.
 */
export function decodeBase64(text: Buffer): Buffer | undefined {
  // Node's decoder takes the alphabet for addresses as well.
  if (text.includes(minus) || text.includes(underscore)) return undefined;
  const digits = text.subarray(0, text.length - paddingOf(text));
  const bytes = Buffer.allocUnsafe(Math.floor((digits.length * 3) / 4));
  let size = 0;
  for (let at = 0; at < digits.length; at += stepBytes) {
    const string = digits.toString('latin1', at, at + stepBytes);
    // It skips what is in no alphabet and stops at padding: either leaves fewer bytes than the digits stand for.
    if (bytes.write(string, size, 'base64') !== Math.floor((string.length * 3) / 4)) return undefined;
    size += Math.floor((string.length * 3) / 4);
  }
  return endsCleanly(digits, bytes) ? bytes : undefined;
}

/** Padding fills the last group of four: text of another length has none. */
function paddingOf(text: Buffer): number {
  if (text.length % 4 !== 0 || text.at(-1) !== equalsSign) return 0;
  return text.at(-2) === equalsSign ? 2 : 1;
}

/** Whether an incomplete last group has no surplus bits and more than one digit. */
function endsCleanly(digits: Buffer, bytes: Buffer): boolean {
  const last = digits.toString('latin1', digits.length - (digits.length % 4));
  return bytes.toString('base64', bytes.length - (bytes.length % 3)).replaceAll('=', '') === last;
}
