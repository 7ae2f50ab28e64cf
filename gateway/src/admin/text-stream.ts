/** Answers that are too long for one piece: text, written line by line as it is read. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';

export interface TextStream {
  readonly mediaType: string;
  readonly lines: AsyncIterable<string>;
}

export const isTextStream = (answer: unknown): answer is TextStream =>
  typeof answer === 'object' && answer !== null && 'lines' in answer && 'mediaType' in answer;

/** Never holds more than what the reader is about to take. */
export async function writeLines({ lines }: TextStream, to: Writable): Promise<void> {
  for await (const line of lines) {
    if (to.destroyed) return;
    if (!to.write(line)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
  }
}
