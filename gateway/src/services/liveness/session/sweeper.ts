/**
 * Sweeps due sessions: expires or abandons them, repeats checks whose gateway has died, and moves sessions with a test
 * outcome on.
 */
import type { SessionAddress, SessionStore } from './session-store';
import type { LivenessSessions } from './sessions';

export interface SweeperServices {
  readonly store: Pick<SessionStore, 'acquireLease' | 'due' | 'find' | 'rejoin'>;
  readonly sessions: Pick<LivenessSessions, 'expire' | 'abandon'>;
  /** Takes over the check of a session if its lease has ended. */
  readonly rejudge: (address: SessionAddress) => Promise<void>;
  /** Takes the next step of a session with a test outcome. */
  readonly advance: (address: SessionAddress) => Promise<void>;
}

/** Few, because a check that is repeated may hold tens of megabytes of frames. */
export const atOnce = 8;

export class SessionSweeper {
  constructor(private readonly services: SweeperServices) {}

  /**
   * Sweeps all due sessions once, unless another gateway has done so within half of `everyMs`.
   * @throws the first failure, after all sessions were swept
   */
  async sweep(everyMs: number): Promise<void> {
    const { store } = this.services;
    if (!(await store.acquireLease(everyMs / 2))) return;
    const failures: unknown[] = [];
    const fail = (error: unknown) => void failures.push(error);
    const steps: Promise<void>[] = [];
    const due = store.due()[Symbol.asyncIterator]();
    const actOnDue = async () => {
      for (let next = await due.next(); !next.done; next = await due.next()) {
        const address = next.value;
        const movesOn = await this.act(address).catch(fail);
        // A step may wait for a webhook, and other sessions must not.
        if (movesOn) steps.push(this.services.advance(address).catch(fail));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, () => actOnDue().catch(fail)));
    await Promise.all(steps);
    if (failures.length > 0) throw failures[0];
  }

  /** @returns whether the session has a test outcome and moves on by itself. */
  private async act(address: SessionAddress): Promise<boolean> {
    const { store, sessions, rejudge } = this.services;
    if (await sessions.expire(address)) return false;
    if (await sessions.abandon(address)) return false;
    const { status, leaveAt, stepMs } = (await store.find(address)) ?? {};
    if (stepMs !== undefined) return true;
    if (status === 'checking') await rejudge(address);
    // The user returned on another page.
    if (status === 'started' && leaveAt === undefined) await store.rejoin(address);
    return false;
  }
}
