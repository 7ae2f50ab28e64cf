/**
 * A camera for a real Chromium that a test controls. Chromium's fake device reads the frames of a Y4M file in a loop, so
 * overwriting the frames of a short file shows a live image. A frame that is read during the write shows parts of two
 * images, as real cameras do. All frames of the file show the same image, each with noise of its own: however late the
 * next image is, a camera repeats none.
 */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { blank, type Rgb } from './image';
import { randomFrom } from './random';
import type { Subject } from './subject';
import { i420Of } from './yuv';

export interface LiveCameraOptions {
  /** Even numbers; every frame must have this size. Default 640 x 480. */
  readonly width?: number;
  readonly height?: number;
  /** Frames per second of the page's video. Default 30. */
  readonly frameRate?: number;
}

/** A running film. */
export interface Performance {
  /** Instructs the subject to move now. */
  instruct(movement: Movement): void;
  /** Stops the film; its last image stays. @throws the error that ended it. */
  stop(): Promise<void>;
}

/** Shows a subject until `stop`. @param frameRate rendered images per second */
export function film(subject: Subject, frameRate: number, show: (frame: Rgb) => Promise<void>): Performance {
  const begin = performance.now();
  const now = () => performance.now() - begin;
  const abort = new AbortController();
  const run = async () => {
    for (let next = 0; !abort.signal.aborted; next = Math.max(next + 1000 / frameRate, now())) {
      await wait(Math.max(0, next - now()), undefined, { signal: abort.signal }).catch(() => {});
      if (abort.signal.aborted) return;
      await show(await subject.frameAt(now()));
    }
  };
  const ended = run();
  // `stop` throws the error; until then it must not end the process.
  ended.catch(() => {});
  return {
    instruct: (movement) => subject.instruct(movement, now()),
    stop: () => {
      abort.abort();
      return ended;
    },
  };
}

/** Frames of the file. The number is prime, so that a page that takes images at a steady pace meets all of them. */
const fileFrames = 7;
const frameHeader = Buffer.from('FRAME\n');

/** Read-out noise in levels of luma. Its deviation of 0.5 survives the page's JPEG. */
const readOutNoise = (() => {
  const { gaussian } = randomFrom(11);
  return Int8Array.from({ length: 1 << 16 }, () => Math.round(0.5 * gaussian()));
})();

export class LiveCamera {
  private shown = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly folder: string,
    private readonly start: number,
    readonly size: { readonly width: number; readonly height: number },
  ) {}

  /** Opens a camera that shows black. */
  static async open({
    width = 640,
    height = 480,
    frameRate = 30,
  }: LiveCameraOptions = {}): Promise<LiveCamera> {
    const folder = await mkdtemp(join(tmpdir(), 'presenza-camera-'));
    const file = await open(join(folder, 'camera.y4m'), 'w');
    const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F${frameRate}:1 Ip A1:1 C420\n`);
    await file.write(header, 0, header.length, 0);
    const camera = new LiveCamera(file, folder, header.length, { width, height });
    await camera.show(blank(width, height));
    return camera;
  }

  /** Arguments for Chromium: this camera, without a permission prompt. */
  get chromiumArguments(): string[] {
    return [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${join(this.folder, 'camera.y4m')}`,
    ];
  }

  /** Shows an image. @throws RangeError if its size is not that of the camera. */
  async show(frame: Rgb): Promise<void> {
    const { width, height } = this.size;
    if (frame.width !== width || frame.height !== height) {
      throw new RangeError(
        `a frame of ${frame.width} x ${frame.height} before a camera of ${width} x ${height}`,
      );
    }
    const bytes = i420Of(frame);
    const noisy = Array.from({ length: fileFrames }, () => withNoise(bytes, width * height, this.shown++));
    await this.file.writev(
      noisy.flatMap((image) => [frameHeader, image]),
      this.start,
    );
  }

  /** Films a subject until `stop`. @param frameRate rendered images per second; default 15. */
  film(subject: Subject, frameRate = 15): Performance {
    return film(subject, frameRate, (frame) => this.show(frame));
  }

  async close(): Promise<void> {
    await this.file.close();
    await rm(this.folder, { recursive: true });
  }
}

/** @param bytes of a frame whose luma comes first @param seed a new number for each frame */
function withNoise(bytes: Uint8Array, luma: number, seed: number): Uint8Array {
  const noisy = bytes.slice();
  const begin = Math.floor(randomFrom(seed).next() * readOutNoise.length);
  for (let i = 0; i < luma; i++) {
    // Luma is between 16 and 235, so it cannot overflow.
    noisy[i] = (noisy[i] as number) + (readOutNoise[(begin + i) & 0xffff] as number);
  }
  return noisy;
}
