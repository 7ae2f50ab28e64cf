/** Turns of the endpoints: how many attempts run at once for each, and when one that found no room comes again. */
import { LRUCache } from 'lru-cache';

/** One slow receiver may hold up so many attempts of this process, whatever waits for it. */
const atOnce = 4;
const maxEndpoints = 10_000;
const longestWaitMs = 60_000;
/** Of the running mean of what an attempt takes. */
const weight = 0.2;

interface Turn {
  running: number;
  /** Milliseconds, running mean. */
  typicalMs: number;
  /** When room is likely for the next one that found none. */
  nextAt: number;
}

export class Turns {
  private readonly turns = new LRUCache<string, Turn>({ max: maxEndpoints });

  constructor(private readonly now: () => number = Date.now) {}

  /** @returns 0 when it may go ahead, which `leave` must end; otherwise ms after which to ask again. */
  enter(endpoint: string): number {
    const turn = this.of(endpoint);
    if (turn.running < atOnce) {
      turn.running++;
      return 0;
    }
    const now = this.now();
    // In a line, as fast as the receiver works: those that wait would otherwise all ask again all the time.
    turn.nextAt = Math.max(now, turn.nextAt) + turn.typicalMs / atOnce;
    return Math.ceil(Math.min(Math.max(1, turn.nextAt - now), longestWaitMs));
  }

  leave(endpoint: string, tookMs: number): void {
    const turn = this.of(endpoint);
    turn.running = Math.max(0, turn.running - 1);
    turn.typicalMs += weight * (tookMs - turn.typicalMs);
  }

  private of(endpoint: string): Turn {
    const turn = this.turns.get(endpoint) ?? { running: 0, typicalMs: 100, nextAt: 0 };
    this.turns.set(endpoint, turn);
    return turn;
  }
}
