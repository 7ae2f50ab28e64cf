/** Notifies work that its result is no longer needed: an AbortSignal, or the lighter `Cancellation`. */
export interface CancellationSignal {
  readonly aborted: boolean;
  /** The error that ends the work; undefined before the abort. */
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A cancellation signal for each request.
 * `cancellation.bench.mjs` (2 busy cores): 0.3 µs, against 23 µs with AbortController.
 */
export class Cancellation implements CancellationSignal {
  aborted = false;
  reason: unknown;
  private readonly listeners = new Set<() => void>();

  /** Calls after the first have no effect. */
  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.aborted) this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
  }
}
