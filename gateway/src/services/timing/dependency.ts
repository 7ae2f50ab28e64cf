/** A finished call to Redis or the inference tier. */
export interface DependencyCall {
  readonly dependency: 'redis' | 'inference';
  /** One of few: a command of Redis, a path of the inference tier. */
  readonly operation: string;
  /**
   * ok; refused: the tier rejected the image; unavailable: overload or outage; expired: the deadline passed;
   * abandoned: the client disconnected; error: anything else.
   */
  readonly outcome: 'ok' | 'refused' | 'unavailable' | 'expired' | 'abandoned' | 'error';
  readonly ms: number;
}

export type DependencyObserver = (call: DependencyCall) => void;
