/** The delivery queue, on BullMQ: its jobs survive the process that runs them. */
import brand from '@presenza/contract/brand.json';
import { DelayedError, type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { waitAtMost } from '../../async/wait-at-most';
import { type Delivery, deliveryIdOf } from '../../services/webhooks/delivery-log';
import type {
  DeliveryQueue,
  NextStep,
  QueuedDelivery,
  QueueState,
} from '../../services/webhooks/delivery-queue';
import { maxAttempts } from '../../services/webhooks/schedule';
import type { RedisClient } from '../redis';

const name = 'deliveries';
/** The braces are a hash tag: BullMQ's scripts need the whole queue in one slot of a cluster. */
const prefix = `{${brand.slug}:webhooks}`;

const daySeconds = 24 * 60 * 60;
/** Ended jobs stay for a while, so that the queue recognizes a delivery that a dying publisher adds twice. */
const delivered = { age: daySeconds, count: 10_000 };
const dead = { age: 7 * daySeconds, count: 10_000 };

/** A job contains no personal data. */
interface JobData extends Delivery {
  readonly replay?: string;
  /** When the next attempt is due, in milliseconds since 1970. BullMQ keeps only the time of creation. */
  readonly dueAt?: number;
}

export class BullDeliveryQueue implements DeliveryQueue {
  private readonly queue: Queue<JobData>;

  constructor(connection: RedisClient, onError: (error: Error) => void) {
    this.queue = new Queue<JobData>(name, { connection, prefix, streams: { events: { maxLen: 100 } } });
    this.queue.on('error', onError);
  }

  /** Await this before any other call: BullMQ checks the Redis version only once. */
  async ready(): Promise<void> {
    await this.queue.waitUntilReady();
  }

  async add(deliveries: readonly QueuedDelivery[]): Promise<void> {
    for (const { delivery, replay } of deliveries) {
      if (replay !== undefined) await this.removeFinished(deliveryIdOf(delivery), replay);
    }
    const jobs = deliveries.map(({ delivery, delayMs, replay }, at) => ({
      name: 'event',
      data: { ...delivery, ...(replay !== undefined && { replay }) },
      opts: {
        jobId: deliveryIdOf(delivery),
        delay: delayMs,
        // Accounts with many events at once get behind accounts with few.
        priority: at + 1,
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
    const counts = await this.queue.getJobCounts('wait', 'prioritized', 'delayed', 'active', 'failed');
    const { wait = 0, prioritized = 0, delayed = 0, active = 0, failed = 0 } = counts;
    // Only deliveries of lost workers are in `wait`, and they come first.
    const [first] = await this.queue.getJobs([wait > 0 ? 'wait' : 'prioritized'], 0, 0, true);
    return {
      backlog: wait + prioritized + delayed + active,
      dueSince: first && (first.data.dueAt ?? first.timestamp + (first.opts.delay ?? 0)),
      deadLetters: failed,
    };
  }

  /** Removes deliveries, except those of a running attempt, which end with it. */
  async remove(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.queue.remove(id)));
  }

  /** Removes a delivery that has ended or waits, so that its replay starts anew. A running attempt continues. */
  private async removeFinished(id: string, replay: string): Promise<void> {
    const job = await this.queue.getJob(id);
    if (!job || job.data.replay === replay) return;
    const state = await job.getState();
    if (state !== 'active') await job.remove();
  }
}

export interface DeliveryWorkerOptions {
  /** The worker duplicates this connection for its blocking commands. */
  readonly connection: RedisClient;
  /** @param attemptsMade before this one. */
  readonly process: (delivery: Delivery, attemptsMade: number) => Promise<NextStep>;
  /** Delay until the next attempt after an error, in ms; undefined if none is left. */
  readonly delayMs: (attempts: number) => number | undefined;
  readonly onError: (error: Error) => void;
  /** Attempts of this process at once. */
  readonly concurrency: number;
  /** Time without a heartbeat after which another worker repeats an attempt. */
  readonly lockMs: number;
}

/** Makes the queue retry a failed attempt. */
class RetryLater extends Error {
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
      // Only the receiver's responses end a delivery, no matter how often processes die.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      settings: {
        backoffStrategy: (attempts, _type, error) =>
          error instanceof RetryLater ? error.ms : (delayMs(attempts) ?? -1),
      },
    });
    this.worker.on('error', onError);
  }

  /**
   * Starts no more attempts and waits for the running ones, at most this long, because without Redis they never end.
   * Other processes repeat attempts that are cut off.
   */
  async close(ms: number): Promise<void> {
    await waitAtMost(ms, this.worker.pause());
    // A forced close, because the ordinary one waits for running jobs without a limit.
    await this.worker.close(true);
  }

  private async process(job: Job<JobData>, token: string | undefined): Promise<void> {
    const { replay: _, dueAt: __, ...delivery } = job.data;
    const next = await this.options.process(delivery, job.attemptsMade).catch((error) => {
      // BullMQ retries without reporting the error.
      this.options.onError(error);
      throw error;
    });
    if (next.kind === 'done') return;
    if (next.kind === 'dead') throw new UnrecoverableError('not deliverable');
    const dueAt = Date.now() + next.ms;
    await job.updateData({ ...job.data, dueAt });
    if (next.kind === 'retry') throw new RetryLater(next.ms);
    await job.moveToDelayed(dueAt, token);
    throw new DelayedError();
  }
}
