import type { ServerResponse } from 'node:http';

/** Runs when the headers of an answer are about to go out: its status is settled, and headers can still be set. */
export function beforeHeaders(res: ServerResponse, act: () => void): void {
  const { writeHead } = res;
  res.writeHead = ((...args: Parameters<typeof writeHead>) => {
    act();
    return writeHead.apply(res, args);
  }) as typeof writeHead;
}
