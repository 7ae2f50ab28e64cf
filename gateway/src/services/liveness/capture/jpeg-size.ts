/** Reads the size from a JPEG's header without decoding the image (ITU-T T.81, B.2.2). */
import type { FrameSize } from './evidence';

const startOfImage = 0xffd8;
/** Frame headers: C0 to CF, except the tables and the extension among them. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a length: RST0 to RST7, TEM. */
const standsAlone = (marker: number) => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;
const startOfScan = 0xda;
const endOfImage = 0xd9;

/** @returns undefined if the bytes are not a JPEG or have no frame header. */
export function jpegSize(bytes: Buffer): FrameSize | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== startOfImage) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] as number;
    if (marker === startOfScan || marker === endOfImage) return undefined;
    if (isFrameHeader(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return width > 0 && height > 0 ? { width, height } : undefined;
    }
    // FF bytes before a marker are padding.
    if (marker === 0xff) at += 1;
    else at += 2 + (standsAlone(marker) ? 0 : Math.max(2, bytes.readUInt16BE(at + 2)));
  }
  return undefined;
}
