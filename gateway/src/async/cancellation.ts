/** What work looks at to know that nobody waits for it any more: an AbortSignal, or something lighter. */
export interface CancellationSignal {
  readonly aborted: boolean;
  /** With what the work has to end, once it is aborted. */
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** A signal for each request: an AbortController with its event target costs many times as much to make. */
export class Cancellation implements CancellationSignal {
  aborted = false;
  reason: unknown;
  private readonly listeners = new Set<() => void>();

  /** Only the first call counts. */
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
