/**
 * A camera for a real Chromium that a test controls. Chromium's fake device reads the frames of a Y4M file in a loop, so
 * overwriting a file of one frame shows a live image. A frame that is read during the write shows parts of two images, as
 * real cameras do.
 */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { blank, type Rgb } from './image';
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

export class LiveCamera {
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
    const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F${frameRate}:1 Ip A1:1 C420\nFRAME\n`);
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
    await this.file.write(bytes, 0, bytes.length, this.start);
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
