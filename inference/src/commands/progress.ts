import type { Progress } from '../originals/download';

/** Shows a download on the terminal; in a log, one line for every tenth of it. */
export function progressOf(id: string): Progress {
  let shown = -1;
  return (received, total) => {
    const megabytes = `${(received / 1e6).toFixed(1)}${total ? ` of ${(total / 1e6).toFixed(1)}` : ''} MB`;
    // A step is ten megabytes if the total is unknown.
    const steps = process.stderr.isTTY ? 100 : 10;
    const step = total ? Math.floor((steps * received) / total) : Math.floor(received / 1e7);
    if (step === shown) return;
    shown = step;
    const line = `${id} downloading ${megabytes}`;
    if (process.stderr.isTTY) process.stderr.write(`\r${line}${received === total ? '\n' : ''}`);
    else console.error(line);
  };
}

/** Writes a line for every tenth of the images. */
export function printImages(done: number, total: number): void {
  if (done % Math.ceil(total / 10) === 0 || done === total) console.error(`${done} of ${total} images`);
}
