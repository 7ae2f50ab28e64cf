/** A call that the gateway made to another process, told when it has ended. */
export interface DependencyCall {
  readonly dependency: 'redis' | 'inference';
  /** One of few: a command of Redis, a path of the inference tier. */
  readonly operation: string;
  /**
   * ok; refused: the tier says no to the image; unavailable: overloaded or away; expired: the deadline came first;
   * abandoned: the client left; error: anything else.
   */
  readonly outcome: 'ok' | 'refused' | 'unavailable' | 'expired' | 'abandoned' | 'error';
  readonly ms: number;
}

export type DependencyObserver = (call: DependencyCall) => void;
