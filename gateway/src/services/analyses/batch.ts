/** A batch: operations that run side by side, each refused, counted and answered as it would be alone. */
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, asAppError, ClientGone, type ErrorBody } from '../../errors';
import type { AdaptiveLimit } from '../inference/adaptive-limit';
import { deadlineIn } from '../inference/deadline-in';
import type { Deadline } from '../inference/inference-client';
import type { MeteredItem } from '../metering/metering-store';
import { quotaExceeded } from '../metering/quota';
import type { Ticket } from '../metering/ticket';
import type { Analyses } from '.';
import type { Analysis, AnalysisCall } from './analysis';

/** As `batch-request.json` has it. */
export interface BatchEntry {
  readonly id?: string;
  readonly operation: Analysis['name'];
  /** Given up once it is being worked on: it may hold megabytes. */
  body: unknown;
}

/** As `batch-result.json` has it. */
export type BatchResult = {
  readonly index: number;
  readonly id?: string;
  readonly operation: Analysis['name'];
  readonly status: number;
} & (
  | { readonly success: true; readonly data: object }
  | { readonly success: false; readonly error: ErrorBody }
);

export interface BatchServices {
  readonly analyses: Analyses;
  /** What the tier takes at the moment, of batches as of single requests. */
  readonly adaptiveLimit: Pick<AdaptiveLimit, 'run'>;
  /** Throws what refuses an entry for what it says or who sends it. */
  readonly check: (analysis: Analysis, body: unknown) => void;
  /** Takes failures that nobody foresaw. */
  readonly onFailure: (error: AppError) => void;
  readonly now: () => number;
  /** Of one attempt of one operation. A silent connection to the tier must not cost the time of the whole batch. */
  readonly deadlineMs: number;
}

/** Waits between the attempts of an operation that met a tier at capacity: doubled each time, up to the longest. */
const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * A single request that meets a tier at capacity, or hears nothing from it, fails and comes again. A batch has more time
 * than that: it would be repeated as a whole for the few that failed, so they come again by themselves.
 */
async function patiently<T>(work: () => Promise<T>, { signal, leftMs }: Deadline): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      const passing =
        error instanceof AppError && (error.body.reason === 'overload' || error.code === 'DEADLINE_EXCEEDED');
      // As much again, or the next attempt would only find the deadline.
      if (!passing || leftMs() < 2 * waitMs) throw error;
    }
    await delay(waitMs * (0.5 + Math.random() / 2));
    signal.throwIfAborted();
  }
}

/** Of one batch. More would only queue at the inference tier. */
const atOnce = 8;

export class Batch {
  private readonly refusals: readonly (AppError | undefined)[];

  constructor(
    private readonly entries: readonly BatchEntry[],
    private readonly services: BatchServices,
  ) {
    this.refusals = entries.map(({ operation, body }) => this.refusalOf(services.analyses[operation], body));
  }

  /** What would be used; entries that are refused as they stand are not among it. */
  get items(): MeteredItem[] {
    return this.entries.flatMap(({ operation }, index) => {
      const { product, group } = this.services.analyses[operation];
      return this.refusals[index] ? [] : [{ index, product, group }];
    });
  }

  /**
   * Runs what was admitted.
   * @param onResult takes each result as it comes; the next is begun when it is done with it.
   * @throws ClientGone
   */
  async run(
    ticket: Pick<Ticket, 'stateOf'>,
    call: AnalysisCall,
    onResult: (result: BatchResult) => Promise<void>,
  ): Promise<void> {
    const waiting = this.entries.entries();
    const work = async () => {
      for (const [index, entry] of waiting) await onResult(await this.resultOf(index, entry, ticket, call));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  private async resultOf(
    index: number,
    entry: BatchEntry,
    ticket: Pick<Ticket, 'stateOf'>,
    call: AnalysisCall,
  ): Promise<BatchResult> {
    const { id, operation } = entry;
    const named = { index, ...(id !== undefined && { id }), operation };
    try {
      const data = await this.dataOf(index, entry, ticket, call);
      return { ...named, status: 200, success: true, data };
    } catch (thrown) {
      if (thrown instanceof ClientGone) throw thrown;
      const error = asAppError(thrown);
      this.services.onFailure(error);
      return { ...named, status: error.status, success: false, error: error.body };
    }
  }

  private async dataOf(
    index: number,
    entry: BatchEntry,
    ticket: Pick<Ticket, 'stateOf'>,
    call: AnalysisCall,
  ): Promise<object> {
    const refusal = this.refusals[index];
    if (refusal) throw refusal;
    call.deadline.signal.throwIfAborted();
    const analysis = this.services.analyses[entry.operation];
    if (ticket.stateOf(index) === 'beyond') {
      throw quotaExceeded(call.principal.terms, analysis.group, this.services.now());
    }
    const run = analysis.prepare(entry.body);
    entry.body = undefined;
    const { adaptiveLimit } = this.services;
    const attempt = () => adaptiveLimit.run(call.principal.accountId, () => this.attempt(run, call));
    return patiently(attempt, call.deadline);
  }

  private async attempt(run: ReturnType<Analysis['prepare']>, call: AnalysisCall): Promise<object> {
    const { deadline, end } = deadlineIn(this.services.deadlineMs, call.deadline);
    try {
      return await run({ ...call, deadline, priority: 'batch' });
    } finally {
      end();
    }
  }

  private refusalOf(analysis: Analysis, body: unknown): AppError | undefined {
    try {
      this.services.check(analysis, body);
      return undefined;
    } catch (error) {
      return asAppError(error);
    }
  }
}
