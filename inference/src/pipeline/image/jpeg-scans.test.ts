import { manyScansJpeg, sequentialJpeg } from '../../../test/corpus/bombs';
import { jpegSegment } from '../../../test/corpus/containers';
import { countScans, frameOf, type JpegFrame } from './jpeg-scans';
import { sharp } from './sharp';

const [width, height] = [32, 24];
const [first, all] = [{ channels: [1] }, { channels: [1, 2, 3] }];
const empty = { ...all, isEmpty: true };
/** Two of the three channels, in one scan. */
const some = { channels: [1, 2] };

const sequential = (...scans: Parameters<typeof sequentialJpeg>[0]['scans'][number][]) =>
  sequentialJpeg({ width, height, scans });

const restartInterval = jpegSegment(0xdd, Buffer.from([0, 4]));
const frame = sequential(all).subarray(2 + 69, 2 + 69 + 19);

/** Arrangements of scans, without the last one. */
const arrangements: readonly (readonly [name: string, file: Buffer])[] = [
  ['all channels', sequential(all, all)],
  ['all channels twice', sequential(all, all, all)],
  ['one channel', sequential(first, all)],
  ['two of three channels', sequential(some, all)],
  ['one channel, then all', sequential(first, all, all)],
  ['one channel, then all several times', sequential(first, all, all, all, all)],
  ['one channel, then all without data', sequential(first, empty, empty, all)],
  ['each channel', sequential(first, { channels: [2] }, { channels: [3] }, all)],
  ['a progressive frame', manyScansJpeg({ width, height, scans: 3 })],
];

/** Bytes in front of the last scan. */
const obstacles: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['fill bytes', Buffer.alloc(9, 0xff)],
  ['stray bytes', Buffer.from('stray')],
  ['a stuffed byte', Buffer.from([0xff, 0])],
  ['a restart marker', Buffer.from([0xff, 0xd3])],
  ['a marker for temporary use', Buffer.from([0xff, 0x01])],
  ['a reserved marker', Buffer.from([0xff, 0x02])],
  ['a restart interval', restartInterval],
  ['the number of lines', jpegSegment(0xdc, Buffer.from([0, 8]))],
  ['a segment of length 0', Buffer.from([0xff, 0xe5, 0, 0])],
  ['a segment of length 1', Buffer.from([0xff, 0xe5, 0, 1])],
  ['a comment of length 0', Buffer.from([0xff, 0xfe, 0, 0])],
  ['a segment that holds a JPEG', jpegSegment(0xe1, sequential(all))],
  ['a segment that holds an end', jpegSegment(0xe1, Buffer.from([0xff, 0xd9]))],
  ['a segment that ends with a byte of a marker', jpegSegment(0xe1, Buffer.from([0xff]))],
  ['an end', Buffer.from([0xff, 0xd9])],
  ['an end behind fill bytes', Buffer.from([0xff, 0xff, 0xff, 0xd9])],
  ['another image', Buffer.concat([Buffer.from([0xff, 0xd9]), sequential(all).subarray(0, -2)])],
  ['another start', Buffer.from([0xff, 0xd8])],
  ['another frame', frame],
  ['an unknown segment', jpegSegment(0xf0, Buffer.alloc(4))],
];

const isDecoded = (file: Buffer) =>
  sharp(file, { failOn: 'error' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );

const countOf = (file: Buffer) => countScans(file, frameOf(file) as JpegFrame, 500).count;

describe('the last scan is counted if the decoder reads it', () => {
  test.each(arrangements)('after %s', async (_, whole) => {
    const at = whole.lastIndexOf('\xff\xda', undefined, 'latin1');
    for (const [name, obstacle] of obstacles) {
      const before = Buffer.concat([whole.subarray(0, at), obstacle]);
      const file = Buffer.concat([before, whole.subarray(at)]);
      // No frame has this channel, so a decoder that reads the scan refuses it.
      const broken = Buffer.from(file);
      broken[before.length + 5] = 9;
      // The count of a file that is refused in front of the scan does not matter.
      if (!(await isDecoded(file))) continue;
      const isRead = !(await isDecoded(broken));
      expect([name, countOf(file) > countOf(before)]).toEqual([name, isRead]);
      outcomes.add(isRead);
    }
  });
  const outcomes = new Set<boolean>();

  test('and not if the decoder ends before it', () => {
    expect(outcomes).toEqual(new Set([true, false]));
  });
});
