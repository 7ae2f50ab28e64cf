/** The parts of the time between two checks, each of which is a turn of the event loop. */
const parts = 10;

/**
 * Calls `act` after `ms` in which this process runs. A delay of the event loop counts as one part at most, and
 * Node reads sockets between two parts: a process that got no processor for a while does not take its own delay for
 * that of its peer.
 * @returns a function that cancels the call
 */
export function afterRunning(ms: number, act: () => void): () => void {
  let left = parts;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    act();
  }, ms / parts).unref();
  return () => clearInterval(timer);
}

/** A signal that aborts after `ms` in which this process runs. */
export function runningTimeout(ms: number): AbortSignal {
  const controller = new AbortController();
  afterRunning(ms, () =>
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
  );
  return controller.signal;
}
