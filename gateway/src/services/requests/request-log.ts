/**
 * The log of each account's requests with an API key, for the console: method, path template, status, sizes and times, but
 * no address, query, header or body. Requests never wait for it. It writes in batches, and drops entries rather than keep
 * many or try twice.
 */
import type { RequestErrorCode } from '../../errors';
import type { KeyMode } from '../keys/api-key';
import type { Page, PageOf, TimeRange } from '../pages';
import type { StageTimes } from '../timing/stages';

export interface LoggedRequest {
  readonly requestId: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly method: string;
  /** The path of the contract, such as `/liveness/{sessionId}`. */
  readonly path: string;
  /** 499 if the client disconnected before the response. */
  readonly status: number;
  readonly code?: RequestErrorCode | undefined;
  readonly ms: number;
  /** Entries that earlier releases wrote lack this and the fields below. */
  readonly stages?: StageTimes | undefined;
  readonly apiVersion?: string | undefined;
  /** Size of the body; absent if it is not known. */
  readonly requestBytes?: number | undefined;
  /** The same; also absent if the client disconnected before the response. */
  readonly responseBytes?: number | undefined;
}

/** An entry with its id, which identifies it even if a caller repeats the id of a request. */
export interface StoredRequest extends LoggedRequest {
  readonly id: string;
}

/** By the time, entries count when they were written, shortly after their response. */
export interface RequestFilter extends TimeRange {
  readonly requestId?: string;
  readonly key?: string;
  readonly path?: string;
  /** A status such as `404`, or a class such as `4xx`. */
  readonly status?: string;
  /** Whether its status is 400 or higher. */
  readonly failed?: boolean;
}

export interface RequestPage extends Page<StoredRequest> {
  /** The newest entry of the log, whether or not the filter selects it: with `since`, a page continues from there. */
  readonly newest?: string;
}

/** The requests of an hour by the class of their status. */
export interface HourOfRequests {
  /** When it begins, in milliseconds since 1970. */
  readonly from: number;
  readonly succeeded: number;
  /** Status 400 to 499. */
  readonly refused: number;
  readonly failed: number;
}

export interface RequestReader {
  /**
   * Newest first. A page may be short or empty although another follows.
   * @param wanted.since only entries after this one. Such a page examines few entries, so that one follows sooner.
   */
  list(accountId: string, wanted: PageOf & RequestFilter & { readonly since?: string }): Promise<RequestPage>;
  find(accountId: string, id: string): Promise<StoredRequest | undefined>;
  /** This hour and the 23 before, oldest first. Requests that the log dropped are not counted. */
  countByHour(accountId: string): Promise<readonly HourOfRequests[]>;
}

export interface RequestLogStore {
  append(accountId: string, requests: readonly LoggedRequest[]): Promise<void>;
}

/** Why entries were dropped: too many wait for the store, or it failed. */
export type DropReason = 'full' | 'store';

export interface RequestLogOptions {
  readonly store: RequestLogStore;
  readonly onDropped: (reason: DropReason, count: number, error?: Error) => void;
  readonly onWritten?: () => void;
  /** How long an entry waits for others. */
  readonly waitMs?: number;
  /** How many entries may wait or be on their way at once. */
  readonly most?: number;
}

/** How many entries the store takes at once. */
const batchSize = 100;
const defaults = { waitMs: 200, most: 10_000 };

export class RequestLog {
  private waiting = new Map<string, LoggedRequest[]>();
  /** Entries that wait or are on their way. */
  private held = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(private readonly options: RequestLogOptions) {}

  add(accountId: string, request: LoggedRequest): void {
    const { most = defaults.most, onDropped } = this.options;
    if (this.held >= most) {
      onDropped('full', 1);
      return;
    }
    this.held++;
    const others = this.waiting.get(accountId);
    if (others) others.push(request);
    else this.waiting.set(accountId, [request]);
    if (!this.writing) this.writeSoon();
  }

  /** Resolves once everything that waits has been written or dropped. */
  async close(): Promise<void> {
    while (this.held > 0) await (this.writing ?? this.write());
    clearTimeout(this.timer);
  }

  private writeSoon(): void {
    const { waitMs = defaults.waitMs } = this.options;
    this.timer ??= setTimeout(() => void this.write(), waitMs).unref();
  }

  /** Writes what waits. Entries that arrive meanwhile wait for its end. */
  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batches = [...this.waiting].flatMap(([accountId, requests]) => batchesOf(accountId, requests));
    this.waiting = new Map();
    this.writing = Promise.all(batches.map((batch) => this.append(batch))).then(() => {
      this.writing = undefined;
      if (this.held > 0) this.writeSoon();
    });
    return this.writing;
  }

  private async append({ accountId, requests }: Batch): Promise<void> {
    const { store, onDropped, onWritten } = this.options;
    try {
      await store.append(accountId, requests);
      onWritten?.();
    } catch (error) {
      onDropped('store', requests.length, error as Error);
    }
    this.held -= requests.length;
  }
}

interface Batch {
  readonly accountId: string;
  readonly requests: readonly LoggedRequest[];
}

function batchesOf(accountId: string, requests: readonly LoggedRequest[]): Batch[] {
  const batches: Batch[] = [];
  for (let at = 0; at < requests.length; at += batchSize) {
    batches.push({ accountId, requests: requests.slice(at, at + batchSize) });
  }
  return batches;
}
