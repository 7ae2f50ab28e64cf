/**
 * Predicts when a new item would finish, from the work ahead of it and past durations. It serves only to reject early
 * the items that would be late anyway, so it may be rough, and it errs on the side of admission.
 */
import type { Queue } from './queue';
import { remember } from './recent';
import { ServiceTime } from './service-time';
import type { Waiting } from './waiting';

/** While both wait, bulk work gets about one item in this many interactive ones. */
const interactivePerBatch = 3;

type Kind = Pick<Waiting, 'operation' | 'account' | 'weight'>;

export interface Running extends Kind {
  /** Moment of dispatch. */
  readonly since: number;
}

export interface WorkState {
  readonly running: Iterable<Running>;
  /** Items that may run at once, of all accounts and of one. */
  readonly capacity: number;
  readonly perAccount: number;
  readonly now: number;
}

export class Forecast {
  private readonly ofOperation = new Map<string, ServiceTime>();
  /** Apart by account and operation: one account may send crowds and the others selfies. */
  private readonly ofAccount = new Map<string, ServiceTime>();

  constructor(private readonly queue: Queue) {}

  observe({ operation, account, weight }: Kind, durationMs: number): void {
    const key = keyOf(operation, account);
    const accountTime = this.ofAccount.get(key) ?? new ServiceTime();
    remember(this.ofAccount, key, accountTime);
    const all = this.ofOperation.get(operation) ?? new ServiceTime();
    this.ofOperation.set(operation, all);
    for (const time of [accountTime, all]) time.observe(weight, durationMs);
  }

  /** Expected duration of an item in milliseconds; 0 before the first observation of its operation. */
  serviceMs({ operation, account, weight }: Kind): number {
    const time = this.ofAccount.get(keyOf(operation, account)) ?? this.ofOperation.get(operation);
    return time?.predictMs(weight) ?? 0;
  }

  /**
   * Milliseconds until an item would start. Accounts share the workers, so another account's work counts up to as much
   * as the item's account has before the item ends.
   */
  waitMs(item: Waiting, { running, capacity, perAccount, now }: WorkState): number {
    const left = { all: 0, account: 0 };
    for (const runningItem of running) {
      const ms = Math.max(0, this.serviceMs(runningItem) - (now - runningItem.since));
      left.all += ms;
      if (runningItem.account === item.account) left.account += ms;
    }
    const queued = this.queuedMs(item);
    const accountQueued = queued.get(item.account) ?? 0;
    const share = accountQueued + this.serviceMs(item);
    let ahead = accountQueued;
    for (const [account, ms] of queued) if (account !== item.account) ahead += Math.min(ms, share);
    return Math.max((left.all + ahead) / capacity, (left.account + accountQueued) / perAccount);
  }

  /** Milliseconds of work by account that would run before an item of this priority. */
  private queuedMs({ priority }: Waiting): Map<string, number> {
    const sums = { interactive: new Map<string, number>(), batch: new Map<string, number>() };
    for (const queuedItem of this.queue) {
      const sum = sums[queuedItem.priority];
      sum.set(queuedItem.account, (sum.get(queuedItem.account) ?? 0) + this.serviceMs(queuedItem));
    }
    const all = sums.interactive;
    for (const [account, ms] of sums.batch) {
      const before = all.get(account) ?? 0;
      all.set(account, before + (priority === 'batch' ? ms : Math.min(ms, before / interactivePerBatch)));
    }
    return all;
  }
}

const keyOf = (operation: string, account: string) => `${operation} ${account}`;
