/** Sweeps overdue sessions: expires or abandons them, and repeats checks whose gateway has died. */
import type { SessionAddress, SessionStore } from './session-store';
import type { LivenessSessions } from './sessions';

export interface SweeperServices {
  readonly store: Pick<SessionStore, 'acquireLease' | 'due' | 'find' | 'rejoin'>;
  readonly sessions: Pick<LivenessSessions, 'expire' | 'abandon'>;
  /** Takes over the check of a session if its lease has ended. */
  readonly rejudge: (address: SessionAddress) => Promise<void>;
}

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
    for await (const address of store.due()) {
      await this.act(address).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  private async act(address: SessionAddress): Promise<void> {
    const { store, sessions, rejudge } = this.services;
    if (await sessions.expire(address)) return;
    if (await sessions.abandon(address)) return;
    const { status, leaveAt } = (await store.find(address)) ?? {};
    if (status === 'checking') await rejudge(address);
    // The user returned on another page.
    if (status === 'started' && leaveAt === undefined) await store.rejoin(address);
  }
}
