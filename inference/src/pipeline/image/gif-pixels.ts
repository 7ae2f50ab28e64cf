/** Decompresses the pixels of one frame of a GIF (LZW with codes of up to 12 bits). */

const mostBits = 12;
const maxCodes = 1 << mostBits;
/**
 * The string of each code, as its position and length among the pixels written so far: a new string is an earlier one and
 * the pixel after it. One frame is decompressed at a time.
 */
const starts = new Int32Array(maxCodes);
const lengths = new Int32Array(maxCodes);

/**
 * @param at where the size of the codes stands, in front of the sub-blocks; the sub-blocks end inside the file.
 * @param into receives indices of colors.
 * @param count of the frame's pixels; further ones are ignored.
 * @returns whether the frame is complete and valid
 */
export function decompress(file: Buffer, at: number, into: Uint8Array, count: number): boolean {
  const smallest = file[at] as number;
  // Colors have eight bits at most; some encoders write codes of up to twelve for them.
  if (smallest < 1 || smallest > mostBits) return false;
  const clear = 1 << smallest;
  const end = clear + 1;
  const firstBits = smallest + 1;
  let bits = firstBits;
  let next = clear + 2;
  let from = at + 1;
  let left = 0;
  let held = 0;
  let heldBits = 0;
  let written = 0;
  // The string of the code before; none after a clear code.
  let start = -1;
  let length = 0;
  while (written < count) {
    while (heldBits < bits) {
      if (left === 0) {
        left = file[from++] as number;
        if (left === 0) return false;
      }
      held |= (file[from++] as number) << heldBits;
      heldBits += 8;
      left -= 1;
    }
    const code = held & ((1 << bits) - 1);
    held >>>= bits;
    heldBits -= bits;
    if (code === end) return false;
    if (code === clear) {
      bits = firstBits;
      next = clear + 2;
      start = -1;
      continue;
    }
    if (start >= 0 && next < maxCodes) {
      starts[next] = start;
      lengths[next] = length + 1;
      next += 1;
      if (next === 1 << bits && bits < mostBits) bits += 1;
    }
    start = written;
    if (code < clear) {
      if (code > 0xff) return false;
      length = 1;
      into[written++] = code;
    } else {
      if (code >= next) return false;
      const source = starts[code] as number;
      length = Math.min(lengths[code] as number, count - written);
      // One by one, because the newest string may overlap what it writes.
      for (let i = 0; i < length; i++) into[written + i] = into[source + i] as number;
      written += length;
    }
  }
  return true;
}
