/** A batch: operations that run concurrently. Each is rejected, billed and reported like a single request. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BatchRequest, BatchResult as Result } from '@presenza/contract/client/types.d.ts';
import { bounds } from '../../bounds';
import { ApiError, asRequestError, ClientGone, type ErrorLinks, type RequestError } from '../../errors';
import type { Immutable } from '../contract/immutable';
import type { AdaptiveLimit } from '../inference/adaptive-limit';
import { deadlineIn } from '../inference/deadline-in';
import type { Deadline } from '../inference/inference-client';
import type { MeteredItem } from '../metering/metering-store';
import { requireUnit } from '../metering/quota';
import type { Ticket } from '../metering/ticket';
import type { Analyses } from '.';
import type { Analysis, AnalysisCall, AnalysisResult } from './analysis';

/** The outcome of one operation of a batch. */
export type BatchResult = Immutable<Result>;

type Operation = BatchRequest['operations'][number];

/** An operation of a batch. Its body is dropped once it has been parsed: it may hold megabytes. */
export type BatchEntry = Readonly<Pick<Operation, 'id' | 'operation'>> & { body: unknown };

export interface BatchServices {
  readonly analyses: Analyses;
  /** The load that the inference tier accepts at the moment. */
  readonly adaptiveLimit: Pick<AdaptiveLimit, 'run'>;
  /** Throws if the body of an entry is invalid or its caller lacks a permission. */
  readonly check: (analysis: Analysis, body: unknown) => void;
  /** Called with each error of an operation. */
  readonly onFailure: (error: RequestError) => void;
  readonly now: () => number;
  /** Deadline of one attempt of one operation, so that a hanging connection does not use up the batch's time. */
  readonly deadlineMs: number;
  readonly errorLinks?: ErrorLinks | undefined;
}

/** Waits between the attempts of an operation while the tier is at capacity: doubled each time, up to the longest. */
const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Retries an operation while the tier is at capacity or does not respond. A single request fails and its client retries.
 * The client of a batch would have to repeat all of it for the few operations that failed.
 */
async function withRetries<T>(work: () => Promise<T>, { signal, leftMs }: Deadline): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      const transient =
        error instanceof ApiError && (error.body.reason === 'overload' || error.code === 'DEADLINE_EXCEEDED');
      // Too little time would be left after the wait: another attempt would only reach the deadline.
      if (!transient || leftMs() < 2 * waitMs) throw error;
    }
    await delay(waitMs * (0.5 + Math.random() / 2));
    signal.throwIfAborted();
  }
}

/** Operations of one batch that run at once. More would only queue at the inference tier. */
const atOnce = bounds.batchConcurrency;

export class Batch {
  private readonly refusals: readonly (RequestError | undefined)[];

  constructor(
    private readonly entries: readonly BatchEntry[],
    private readonly services: BatchServices,
  ) {
    this.refusals = entries.map(({ operation, body }) => this.refusalOf(services.analyses[operation], body));
  }

  /** The units that the batch may use. Entries that are already rejected use none. */
  get items(): MeteredItem[] {
    return this.entries.flatMap(({ operation }, index) => {
      const { product, group } = this.services.analyses[operation];
      return this.refusals[index] ? [] : [{ index, product, group }];
    });
  }

  /**
   * Runs the operations that were admitted.
   * @param onResult called with each result as it arrives; the next operation starts when its promise resolves.
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
      const error = asRequestError(thrown);
      this.services.onFailure(error);
      const { errorLinks = {} } = this.services;
      return { ...named, status: error.status, success: false, error: error.bodyFor(call, errorLinks) };
    }
  }

  private async dataOf(
    index: number,
    entry: BatchEntry,
    ticket: Pick<Ticket, 'stateOf'>,
    call: AnalysisCall,
  ): Promise<AnalysisResult> {
    const refusal = this.refusals[index];
    if (refusal) throw refusal;
    call.deadline.signal.throwIfAborted();
    const analysis = this.services.analyses[entry.operation];
    const { terms } = call.principal;
    requireUnit(ticket.stateOf(index), { terms, group: analysis.group, now: this.services.now() });
    const run = analysis.prepare(entry.body);
    entry.body = undefined;
    const { adaptiveLimit } = this.services;
    const attempt = () => adaptiveLimit.run(call.principal.accountId, () => this.attempt(run, call));
    return withRetries(attempt, call.deadline);
  }

  private async attempt(run: ReturnType<Analysis['prepare']>, call: AnalysisCall): Promise<AnalysisResult> {
    const { deadline, end } = deadlineIn(this.services.deadlineMs, call.deadline);
    try {
      return await run({ ...call, deadline, priority: 'batch' });
    } finally {
      end();
    }
  }

  private refusalOf(analysis: Analysis, body: unknown): RequestError | undefined {
    try {
      this.services.check(analysis, body);
      return undefined;
    } catch (error) {
      return asRequestError(error);
    }
  }
}
