/** The log of deliveries. A delivery is one event for one endpoint; the log keeps its state, never its body. */

import { ApiError } from '../../errors';
import { wrongValue } from '../../errors/expectation';
import type { KeyMode } from '../keys/api-key';
import type { Page, PageOf } from '../pages';
import type { WebhookEvent } from './events';
import { maxAttempts } from './schedule';
import type { PostFailure, PostResult } from './sender';

export interface Delivery extends WebhookEvent {
  readonly webhookId: string;
}

/** Derived from event and endpoint, so that an event that is queued twice is one delivery. */
export const deliveryIdOf = ({ eventId, webhookId }: Pick<Delivery, 'eventId' | 'webhookId'>) =>
  `${eventId}-${webhookId}`;

/** @param field that contains the text. @throws ApiError INVALID_PARAMETERS */
export function checkDeliveryId(text: string, field: string): void {
  if (!/^evt_\w+-wh_\w+$/.test(text)) throw new ApiError('INVALID_PARAMETERS', wrongValue(field, 'cursor'));
}

/** dropped: the endpoint was deleted. */
export type DeliveryState = 'pending' | 'delivered' | 'dead' | 'dropped';

/** One attempt: its response, or why there was none. */
export interface AttemptRecord {
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  readonly status?: number;
  readonly failure?: PostFailure;
  readonly tookMs: number;
}

/** Why a synchronous endpoint gave no decision. `unavailable`: the service could not ask it. */
export type DecisionFailure = PostFailure | 'status' | 'response' | 'disabled' | 'unavailable';

/** The part of a response that is not in the form of `webhook-acknowledgement.json`. */
export type ResponseFault = 'body' | 'status' | 'decision' | 'redirectUrl';

/** The decision of a synchronous endpoint, or with `failure` the one that counted instead. The response is not kept. */
export interface DecisionRecord {
  readonly decision: 'continue' | 'reject' | 'redirect';
  readonly failure?: DecisionFailure;
  /** HTTP status of the response, with the failures `status` and `response`. */
  readonly status?: number;
  /** With the failure `response`. */
  readonly fault?: ResponseFault;
}

export interface DeliveryRecord extends Omit<Delivery, 'accountId'> {
  readonly id: string;
  readonly state: DeliveryState;
  /** Without a synchronous request that failed: the attempts of the schedule follow it. */
  readonly attempts: number;
  /** Present for synchronous endpoints. */
  readonly decision?: DecisionRecord;
  /** The fields below describe the last attempt. Times are in milliseconds since 1970. */
  readonly lastAttemptAt?: number;
  readonly status?: number;
  readonly failure?: PostFailure | 'disabled';
  readonly tookMs?: number;
  readonly nextAttemptAt?: number;
  /** The newest attempts, oldest first, including those before a replay. */
  readonly history?: readonly AttemptRecord[];
}

/** Two schedules of attempts, because a replay begins a new schedule. */
const maxHistory = 2 * maxAttempts;

/** A record with one more attempt, which the log describes in its fields as the last one. */
export function withAttempt(
  record: DeliveryRecord,
  at: number,
  { status, failure, tookMs }: Pick<PostResult, 'status' | 'failure' | 'tookMs'>,
): DeliveryRecord {
  const result = { tookMs, ...(status !== undefined && { status }), ...(failure && { failure }) };
  const history = [...(record.history ?? []), { at, ...result }].slice(-maxHistory);
  return { ...record, attempts: record.attempts + 1, lastAttemptAt: at, ...result, history };
}

/** The parts of a record that stay when its schedule begins, or begins again. */
export const lastingPartsOf = ({ history, decision }: Partial<DeliveryRecord> = {}) => ({
  ...(history && { history }),
  ...(decision && { decision }),
});

export interface DeliveryLog {
  /** Adds deliveries that the log does not contain yet. */
  begin(accountId: string, records: readonly DeliveryRecord[]): Promise<void>;
  /**
   * Replaces the record of a delivery.
   * @param health of the endpoint, if an attempt showed it.
   * @returns when the endpoint began to fail, in milliseconds since 1970; undefined if its last attempt succeeded.
   */
  write(accountId: string, record: DeliveryRecord, health?: 'well' | 'failing'): Promise<number | undefined>;
  find(accountId: string, id: string): Promise<DeliveryRecord | undefined>;
  /** Newest first, after a delivery by its id. A page may be shorter than its limit and still have a next one. */
  list(accountId: string, page: PageOf & DeliveryFilter): Promise<Page<DeliveryRecord>>;
  /** Resets the failure time of an endpoint. */
  clearHealth(accountId: string, webhookId: string): Promise<void>;
}

export interface DeliveryFilter {
  /** Only dead letters: deliveries without further attempts. */
  readonly dead?: boolean;
  readonly state?: DeliveryState;
  readonly webhookId?: string;
  readonly eventId?: string;
  /** Only events of sessions. */
  readonly ofSessions?: boolean;
  /** Only events of this mode. */
  readonly mode?: KeyMode;
  /** Only events from this time on, in milliseconds since 1970. */
  readonly since?: number;
}

/** The record of a delivery before its first attempt. */
export function newRecord({ accountId: _, ...delivery }: Delivery): DeliveryRecord {
  return { id: deliveryIdOf(delivery), ...delivery, state: 'pending', attempts: 0 };
}
