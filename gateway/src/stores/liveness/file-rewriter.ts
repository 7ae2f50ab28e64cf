/**
 * Rewrites the append-only file of Redis on demand. Redis only appends, so a deleted value stays in the file until Redis
 * has written a new one and removed the old one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { infoOf } from '../redis';

/** A rewrite of few keys takes about 30 ms. */
const pollMs = 5;
/** A rewrite of a million keys takes some seconds. */
const timeoutMs = 10_000;

interface FileState {
  /** Rewrites since Redis started, including a running one. */
  readonly begun: number;
  readonly ended: number;
  /** Whether the last rewrite that ended was successful. */
  readonly succeeded: boolean;
}

export class FileRewriter {
  private last: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private endedAt = Number.NEGATIVE_INFINITY;
  private tookMs = 0;

  constructor(
    private readonly redis: Pick<Redis, 'info' | 'bgrewriteaof'>,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

  /**
   * Resolves once Redis has rewritten its file with a snapshot that is not older than this call. Calls that wait share
   * one rewrite.
   * @throws Error if the rewrite fails or takes longer than 10 s
   */
  rewrite(): Promise<void> {
    this.next ??= this.last.then(() => this.round());
    return this.next;
  }

  private async round(): Promise<void> {
    // Rewrites without a pause would occupy a core while sessions are erased all the time.
    const pause = this.endedAt + this.tookMs - this.now();
    if (pause > 0) await delay(pause);
    const round = this.next as Promise<void>;
    this.next = undefined;
    this.last = round.catch(() => {});
    const from = this.now();
    try {
      await this.rewriteBy(from + timeoutMs);
    } finally {
      this.endedAt = this.now();
      this.tookMs = this.endedAt - from;
    }
  }

  /** Other gateways may rewrite the file at the same time. Only a rewrite that begins after this call counts. */
  private async rewriteBy(deadline: number): Promise<void> {
    const first = (await this.state()).begun;
    for (;;) {
      const { begun, ended, succeeded } = await this.state();
      if (ended > first) {
        if (succeeded) return;
        throw new Error('Redis could not rewrite its append-only file; its log says why');
      }
      if (this.now() > deadline) throw new Error('Redis did not rewrite its append-only file in time');
      if (begun === ended) await this.begin();
      await delay(pollMs);
    }
  }

  private async begin(): Promise<void> {
    await this.redis.bgrewriteaof().catch((error: Error) => {
      if (!error.message.includes('already in progress')) throw error;
    });
  }

  private async state(): Promise<FileState> {
    const info = infoOf(await this.redis.info('persistence'));
    const begun = Number(info.aof_rewrites);
    return {
      begun,
      ended: begun - Number(info.aof_rewrite_in_progress),
      succeeded: info.aof_last_bgrewrite_status === 'ok',
    };
  }
}
