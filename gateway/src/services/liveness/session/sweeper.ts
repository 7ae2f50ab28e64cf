/**
 * Sweeps due sessions: expires or abandons them, repeats checks whose gateway has died, and moves sessions with a test
 * outcome on.
 */
import { forEach } from '../../../async/for-each';
import { Lanes } from '../../../async/lanes';
import type { SessionAddress, SessionStore } from './session-store';
import type { LivenessSessions } from './sessions';

export interface SweeperServices {
  readonly store: Pick<SessionStore, 'acquireLease' | 'due' | 'find' | 'rejoin'>;
  readonly sessions: Pick<LivenessSessions, 'expire' | 'abandon'>;
  /** Takes over the check of a session if its lease has ended. */
  readonly rejudge: (address: SessionAddress) => Promise<void>;
  /** Takes the next step of a session with a test outcome. */
  readonly advance: (address: SessionAddress) => Promise<void>;
  /** Called with each failure of `rejudge` and `advance`. */
  readonly onError: (error: Error) => void;
}

/** Sessions that the sweep looks at at once. */
export const atOnce = 8;
/** Few, because a check that is repeated may hold tens of megabytes of frames. */
const checksAtOnce = 8;
/** Each may hold a connection to every synchronous endpoint of its account. */
const stepsAtOnce = 32;
/** Sessions over this limit wait for the next sweep. */
const mostUnderWay = 10_000;

export class SessionSweeper {
  private readonly checks = new Lanes(checksAtOnce);
  private readonly steps = new Lanes(stepsAtOnce);
  /** Sessions whose check or step waits or runs. */
  private readonly underWay = new Set<string>();

  constructor(private readonly services: SweeperServices) {}

  /**
   * Sweeps all due sessions once, unless another gateway has done so within half of `everyMs`. Checks and steps may wait
   * for an account's webhooks, so the sweep only begins them.
   * @throws the first failure, after all sessions were swept
   */
  async sweep(everyMs: number): Promise<void> {
    const { store } = this.services;
    if (!(await store.acquireLease(everyMs / 2))) return;
    await forEach(store.due(), atOnce, (address) => this.act(address));
  }

  /** Resolves once all checks and steps that sweeps began have ended. */
  async idle(): Promise<void> {
    await Promise.all([this.checks.idle(), this.steps.idle()]);
  }

  /** Lets running checks and steps end. Other gateways take over those that wait. */
  async stop(): Promise<void> {
    await Promise.all([this.checks.stop(), this.steps.stop()]);
  }

  private async act(address: SessionAddress): Promise<void> {
    const { store, sessions, rejudge, advance } = this.services;
    if (this.underWay.has(address.sessionId)) return;
    if (await sessions.expire(address)) return;
    if (await sessions.abandon(address)) return;
    const { status, leaveAt, stepMs } = (await store.find(address)) ?? {};
    if (stepMs !== undefined) return this.begin(this.steps, address, advance);
    if (status === 'checking') return this.begin(this.checks, address, rejudge);
    // The user returned on another page.
    if (status === 'started' && leaveAt === undefined) await store.rejoin(address);
  }

  private begin(
    lanes: Lanes,
    address: SessionAddress,
    work: (address: SessionAddress) => Promise<void>,
  ): void {
    const { accountId, sessionId } = address;
    if (this.underWay.size >= mostUnderWay) return;
    this.underWay.add(sessionId);
    void lanes
      .run(accountId, () => work(address))
      .catch(this.services.onError)
      .finally(() => this.underWay.delete(sessionId));
  }
}
