/**
 * Decodes GIF and HEIC, which take long, in a thread of its own beside that of the worker: one image at a time, with a time
 * limit. The thread starts with the first image and ends when none has come for a while.
 */
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { packageRoot } from '../../catalogue/paths';
import { DecodedImage } from './decoded-image';
import { type DecodingBudget, patient } from './decoding-budget';
import { isGif } from './gif-file';
import { isHeif } from './heif-file';
import { ImageError, type ImageFault } from './image-error';

export interface SlowTask {
  readonly bytes: Uint8Array;
  /** Longer side in pixels to which larger frames are shrunk. */
  readonly maxSide: number;
  /** Frames to sample at most. */
  readonly frames: number;
}

/** `priceMs`: the price of what was decoded; 0 if the file was refused before. */
export type SlowResult = { readonly priceMs: number } & (
  | { readonly ok: true; readonly frames: readonly Pick<DecodedImage, 'pixels' | 'width' | 'height'>[] }
  | { readonly ok: false; readonly fault: ImageFault; readonly values: Readonly<Record<string, number>> }
);

/** Many times what the slowest image within the limits takes on an idle core: 2.6 s. */
const timeLimitMs = 20_000;
const idleMs = 30_000;
/** Interval at which a running decoding checks whether anybody still waits for it. */
const watchMs = 50;

export const isSlowFormat = (file: Buffer): boolean => isGif(file) || isHeif(file);

export class SlowDecoder {
  private readonly piscina = new Piscina<SlowTask, SlowResult>({
    // Threads run compiled code, also when the main thread is run from the sources by tests.
    filename: join(packageRoot, 'dist', 'pipeline', 'image', 'slow-formats-thread.js'),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleMs,
    atomics: 'disabled',
  });
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly limitMs = timeLimitMs) {
    // A thread that dies between images would otherwise end the process; Piscina starts another.
    this.piscina.on('error', () => {});
  }

  /**
   * Waits for the images before this one.
   * @throws ImageError; DeadlineError or AbandonedError once nobody waits for the image, whose thread then ends
   */
  decode(task: SlowTask, decoding: DecodingBudget = patient): Promise<DecodedImage[]> {
    const result = this.last.then(() => this.run(task, decoding));
    this.last = result.catch(() => {});
    return result;
  }

  private async run(task: SlowTask, decoding: DecodingBudget): Promise<DecodedImage[]> {
    decoding.check();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), this.limitMs);
    const watch = setInterval(() => {
      if (decoding.leftMs() <= 0) stop.abort();
    }, watchMs);
    // Only the bytes of this image: others may share the buffer.
    const bytes = Uint8Array.from(task.bytes);
    const result = await this.piscina
      .run({ ...task, bytes }, { transferList: [bytes.buffer], signal: stop.signal })
      .catch((cause: Error) => {
        decoding.check();
        // The image was made to take long, or too much memory.
        if (stop.signal.aborted) decoding.spend(this.limitMs);
        if (stop.signal.aborted || isOutOfMemory(cause)) throw new ImageError('corrupt', {}, { cause });
        throw cause;
      })
      .finally(() => {
        clearTimeout(timer);
        clearInterval(watch);
      });
    decoding.spend(result.priceMs);
    if (!result.ok) throw new ImageError(result.fault, result.values);
    return result.frames.map(({ pixels, width, height }) => new DecodedImage(pixels, width, height));
  }

  close(): Promise<void> {
    return this.piscina.destroy();
  }
}

const isOutOfMemory = (error: NodeJS.ErrnoException) => error.code === 'ERR_WORKER_OUT_OF_MEMORY';
