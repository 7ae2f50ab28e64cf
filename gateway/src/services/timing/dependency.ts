/** A finished call to Redis, the Redis of the session keys or the inference tier. */
export interface DependencyCall {
  readonly dependency: 'redis' | 'sessionKeys' | 'inference';
  /** A command of Redis or a path of the inference tier, so there are few values. */
  readonly operation: string;
  /**
   * ok; refused: the tier rejected the image; unavailable: overload or outage; expired: the deadline passed;
   * abandoned: the client disconnected; error: anything else.
   */
  readonly outcome: 'ok' | 'refused' | 'unavailable' | 'expired' | 'abandoned' | 'error';
  readonly ms: number;
}

export type DependencyObserver = (call: DependencyCall) => void;
