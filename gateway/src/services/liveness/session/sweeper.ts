/** Acts for sessions whose time has passed: they expire or are given up, and a check whose gateway is gone is judged again. */
import type { SessionAddress, SessionStore } from './session-store';
import type { LivenessSessions } from './sessions';

export interface SweeperServices {
  readonly store: Pick<SessionStore, 'takeTurn' | 'due' | 'find' | 'comeBack'>;
  readonly sessions: Pick<LivenessSessions, 'expire' | 'abandon'>;
  /** Takes over the check of a session, if its lease has ended. */
  readonly rejudge: (address: SessionAddress) => Promise<void>;
}

export class SessionSweeper {
  constructor(private readonly services: SweeperServices) {}

  /**
   * Looks once at all sessions that are due, unless another gateway has done so within half the time.
   * @throws what the first of them failed with, once all were looked at
   */
  async sweep(everyMs: number): Promise<void> {
    const { store } = this.services;
    if (!(await store.takeTurn(everyMs / 2))) return;
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
    // Somebody who left went on elsewhere.
    if (status === 'started' && leaveAt === undefined) await store.comeBack(address);
  }
}
