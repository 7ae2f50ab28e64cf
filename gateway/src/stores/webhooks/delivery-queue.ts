/** The queue of deliveries: BullMQ, whose jobs outlive the process that works on them. */
import brand from '@presenza/contract/brand.json';
import { DelayedError, type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { waitAtMost } from '../../async/wait-at-most';
import type { Next } from '../../services/webhooks/deliverer';
import { type Delivery, deliveryIdOf } from '../../services/webhooks/deliveries';
import type { DeliveryQueue, Queued } from '../../services/webhooks/relay';
import { maxAttempts } from '../../services/webhooks/schedule';
import type { RedisClient } from '../redis';

const name = 'deliveries';
/** The braces are a hash tag: a cluster keeps the whole queue in one slot, as its scripts need. */
const prefix = `{${brand.slug}:webhooks}`;

const daySeconds = 24 * 60 * 60;
/** Jobs that ended are kept to know them again, should a relay that died bring them once more. */
const delivered = { age: daySeconds, count: 10_000 };
const dead = { age: 7 * daySeconds, count: 10_000 };

/** What a job holds: nothing of a person. */
interface JobData extends Delivery {
  readonly replay?: string;
  /** Milliseconds since 1970 from which it may be attempted again; the queue itself keeps only when it was made. */
  readonly dueAt?: number;
}

export interface QueueState {
  /** Deliveries that wait, for their turn or for their next attempt, or are under way. */
  readonly backlog: number;
  /** Milliseconds since 1970 from which the first in line could have gone out; undefined when none waits. */
  readonly dueSince: number | undefined;
  readonly deadLetters: number;
}

export class BullDeliveryQueue implements DeliveryQueue {
  private readonly queue: Queue<JobData>;

  constructor(connection: RedisClient, onError: (error: Error) => void) {
    this.queue = new Queue<JobData>(name, { connection, prefix, streams: { events: { maxLen: 100 } } });
    this.queue.on('error', onError);
  }

  /** To be awaited before anything else: what the library asks of Redis first, it asks once and for all. */
  async ready(): Promise<void> {
    await this.queue.waitUntilReady();
  }

  async add(deliveries: readonly Queued[]): Promise<void> {
    for (const { delivery, replay } of deliveries) {
      if (replay !== undefined) await this.makeRoom(deliveryIdOf(delivery), replay);
    }
    const jobs = deliveries.map(({ delivery, delayMs, replay }) => ({
      name: 'event',
      data: { ...delivery, ...(replay !== undefined && { replay }) },
      opts: {
        jobId: deliveryIdOf(delivery),
        delay: delayMs,
        attempts: maxAttempts,
        backoff: { type: 'schedule' },
        removeOnComplete: delivered,
        removeOnFail: dead,
        stackTraceLimit: 0,
      },
    }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
  }

  async state(): Promise<QueueState> {
    const counts = await this.queue.getJobCounts('wait', 'delayed', 'active', 'failed');
    const { wait = 0, delayed = 0, active = 0, failed = 0 } = counts;
    const [first] = await this.queue.getJobs(['wait'], 0, 0, true);
    return {
      backlog: wait + delayed + active,
      dueSince: first && (first.data.dueAt ?? first.timestamp + (first.opts.delay ?? 0)),
      deadLetters: failed,
    };
  }

  /** A delivery that ended, or waits for its next attempt, begins anew; one that is under way is left as it is. */
  private async makeRoom(id: string, replay: string): Promise<void> {
    const job = await this.queue.getJob(id);
    if (!job || job.data.replay === replay) return;
    const state = await job.getState();
    if (state !== 'active') await job.remove();
  }
}

export interface DeliveryWorkerOptions {
  /** Blocking commands need one of their own, which the worker makes from this one. */
  readonly connection: RedisClient;
  /** @param attemptsMade before this one. */
  readonly attempt: (delivery: Delivery, attemptsMade: number) => Promise<Next>;
  /** Ms until the next attempt when one could not even be made; undefined when there are no more. */
  readonly delayMs: (attempts: number) => number | undefined;
  readonly onError: (error: Error) => void;
  /** Attempts of this process at once. */
  readonly concurrency: number;
  /** After so long without a sign of life of its worker, a delivery is begun again by another. */
  readonly lockMs: number;
}

/** An attempt that failed, for the queue to be made again. */
class TryAgain extends Error {
  constructor(readonly ms: number) {
    super('not delivered');
  }
}

export class DeliveryWorker {
  private readonly worker: Worker<JobData>;

  constructor(private readonly options: DeliveryWorkerOptions) {
    const { connection, concurrency, lockMs, onError, delayMs } = options;
    this.worker = new Worker<JobData>(name, (job, token) => this.process(job, token), {
      connection,
      prefix,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // However often processes die: only receivers end a delivery.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      settings: {
        backoffStrategy: (attempts, _type, error) =>
          error instanceof TryAgain ? error.ms : (delayMs(attempts) ?? -1),
      },
    });
    this.worker.on('error', onError);
  }

  /**
   * Takes nothing new, and waits for what is under way, at most so long: with Redis away it would never end. What is
   * cut off is begun again by another process.
   */
  async close(ms: number): Promise<void> {
    await waitAtMost(ms, this.worker.pause());
    // By force, since the ordinary end waits for the jobs once more, without a bound.
    await this.worker.close(true);
  }

  private async process(job: Job<JobData>, token: string | undefined): Promise<void> {
    const { replay: _, dueAt: __, ...delivery } = job.data;
    const next = await this.options.attempt(delivery, job.attemptsMade).catch((error) => {
      // The queue would only try again, and say nothing.
      this.options.onError(error);
      throw error;
    });
    if (next.kind === 'done') return;
    if (next.kind === 'dead') throw new UnrecoverableError('not deliverable');
    const dueAt = Date.now() + next.ms;
    await job.updateData({ ...job.data, dueAt });
    if (next.kind === 'retry') throw new TryAgain(next.ms);
    await job.moveToDelayed(dueAt, token);
    throw new DelayedError();
  }
}
