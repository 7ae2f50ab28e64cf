/**
 * Images that a thread of their own decodes: what ends it, and what it leaves to other work.
 *
 * Slow: it decodes images that take as long as they may.
 */
import { gifFrame, gifHeader, writeGif } from '../../../test/corpus/gif';
import { AbandonedError } from '../../scheduling/errors';
import { type DecodingBudget, patient } from './decoding-budget';
import { ImageError } from './image-error';
import { openFrames, openImage } from './open';
import { SlowDecoder } from './slow-formats';

const palette = [
  [255, 0, 0],
  [0, 0, 255],
];
const flat = (color: number, width = 40, height = 20) => ({ width, height, at: () => color });
const small = writeGif({ width: 40, height: 20, palette, frames: [flat(0), flat(1)] });

/** The most work that is accepted. */
const heavy = () => {
  const side = 1_600;
  return Buffer.concat([gifHeader(side, side, palette), ...Array(10).fill(gifFrame(flat(0, side, side)))]);
};

test('frames are shrunk, in their order', async () => {
  const frames = await openFrames(small, 10);
  expect(frames.map(({ width, height }) => [width, height])).toEqual([
    [10, 5],
    [10, 5],
  ]);
  expect(frames.map((frame) => frame.at(5, 2))).toEqual([
    [255, 0, 0],
    [0, 0, 255],
  ]);
});

test('the thread of the caller handles other events while an image is decoded', async () => {
  const side = 1_600;
  const damaged = writeGif({ width: side, height: side, palette, frames: [flat(0, side, side)] });
  // One row more than there are pixels for. Decoding it in this thread would let no event through before the refusal.
  damaged.writeUInt16LE(side + 1, damaged.indexOf(0x2c, 13 + 768) + 7);
  const outcome = openImage(damaged, 64).catch(({ fault }: ImageError) => fault);
  const event = new Promise((resolve) => setImmediate(resolve, 'an event'));
  expect(await Promise.race([outcome, event])).toBe('an event');
  expect(await outcome).toBe('corrupt');
});

test('an image that takes too long is refused, and the next one is decoded', async () => {
  const decoder = new SlowDecoder(1);
  const spend = jest.fn();
  const decode = (bytes: Buffer) => decoder.decode({ bytes, maxSide: 64, frames: 8 }, { ...patient, spend });
  const error = await decode(heavy()).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(ImageError);
  expect(error).toMatchObject({ fault: 'corrupt' });
  // Its price is the time that it took.
  expect(spend.mock.calls).toEqual([[1]]);
  Object.assign(decoder, { limitMs: 60_000 });
  expect(await decode(small)).toHaveLength(2);
  await decoder.close();
});

test('a refusal concerns only its own image', async () => {
  const truncated = small.subarray(0, small.length - 9);
  const outcomes = await Promise.all(
    [small, truncated, small, truncated].map((bytes) =>
      openImage(bytes, 64).then(
        ({ width }) => width,
        (error: ImageError) => error.fault,
      ),
    ),
  );
  expect(outcomes).toEqual([40, 'truncated', 40, 'truncated']);
});

describe('an image that nobody waits for', () => {
  /** @param until the decoding has been checked so often */
  const leaving = (until: number): DecodingBudget & { checks: number } => ({
    checks: 0,
    leftMs() {
      this.checks += 1;
      return this.checks > until ? 0 : 1_000;
    },
    check() {
      if (this.leftMs() <= 0) throw new AbandonedError();
    },
    spend() {},
  });

  test('is not decoded when its turn comes', async () => {
    const decoder = new SlowDecoder();
    const first = decoder.decode({ bytes: small, maxSide: 64, frames: 1 });
    const spend = jest.fn();
    const queued = decoder.decode({ bytes: small, maxSide: 64, frames: 1 }, { ...leaving(0), spend });
    await expect(queued).rejects.toThrow(AbandonedError);
    expect(await first).toHaveLength(1);
    expect(spend).not.toHaveBeenCalled();
    await decoder.close();
  });

  test('is decoded no further, and the next one is decoded', async () => {
    const decoder = new SlowDecoder();
    await decoder.decode({ bytes: small, maxSide: 64, frames: 1 });
    const spend = jest.fn();
    // The thread of an image that goes on would deliver its price.
    const left = decoder.decode({ bytes: heavy(), maxSide: 64, frames: 8 }, { ...leaving(1), spend });
    await expect(left).rejects.toThrow(AbandonedError);
    expect(spend).not.toHaveBeenCalled();
    expect(await decoder.decode({ bytes: small, maxSide: 64, frames: 1 })).toHaveLength(1);
    await decoder.close();
  });
});
