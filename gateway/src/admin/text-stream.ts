/** Streams results that are too long for memory, as lines of text. */
import type { Writable } from 'node:stream';
import { LineWriter } from '../async/line-writer';

export interface TextStream {
  readonly mediaType: string;
  /** The name under which browsers save it. */
  readonly fileName: string;
  readonly lines: AsyncIterable<string>;
}

export const isTextStream = (result: unknown): result is TextStream =>
  typeof result === 'object' && result !== null && 'lines' in result && 'mediaType' in result;

/** Ends early if the reader disconnects. */
export async function writeLines({ lines }: TextStream, to: Writable): Promise<void> {
  const writer = new LineWriter(to);
  for await (const line of lines) {
    if (to.destroyed || to.errored) return;
    await writer.write(line);
  }
}
