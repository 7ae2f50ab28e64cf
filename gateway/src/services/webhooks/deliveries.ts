/** Deliveries: one event on its way to one endpoint. What becomes of each is logged, without any body. */
import type { Page, PageOf } from '../keys/accounts';
import type { SessionEvent } from './events';
import type { PostFailure } from './sender';

export interface Delivery extends SessionEvent {
  readonly webhookId: string;
}

/** Known before anything is sent, so that what is handed on twice is one delivery. */
export const deliveryIdOf = ({ eventId, webhookId }: Pick<Delivery, 'eventId' | 'webhookId'>) =>
  `${eventId}-${webhookId}`;

/** dropped: its endpoint was removed. */
export const deliveryStates = ['pending', 'delivered', 'dead', 'dropped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface DeliveryRecord extends Omit<Delivery, 'accountId'> {
  readonly id: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** What the last attempt, or what came instead of one, ended with. Times are milliseconds since 1970. */
  readonly lastAttemptAt?: number;
  readonly status?: number;
  readonly failure?: PostFailure | 'disabled';
  readonly tookMs?: number;
  readonly nextAttemptAt?: number;
}

export interface DeliveryLog {
  /** Enters deliveries that are not in the log yet. */
  begin(accountId: string, records: readonly DeliveryRecord[]): Promise<void>;
  /**
   * Writes what became of a delivery.
   * @param health of its endpoint, where an attempt showed it.
   * @returns since when the endpoint has done nothing but fail, in milliseconds since 1970; undefined when it has not.
   */
  write(accountId: string, record: DeliveryRecord, health?: 'well' | 'failing'): Promise<number | undefined>;
  find(accountId: string, id: string): Promise<DeliveryRecord | undefined>;
  /** Newest first. A page may be shorter than asked for and still have a next one. */
  list(accountId: string, page: PageOf & Chosen): Promise<Page<DeliveryRecord>>;
  /** Forgets that an endpoint failed. */
  clearHealth(accountId: string, webhookId: string): Promise<void>;
}

export interface Chosen {
  /** Only the dead letters: what nobody tries to deliver any more. */
  readonly dead?: boolean;
  readonly webhookId?: string;
  readonly eventId?: string;
  /** Only those that began at this time or later, milliseconds since 1970. */
  readonly since?: number;
}

/** A delivery that nothing has been sent of. */
export function newRecord({ accountId: _, ...delivery }: Delivery): DeliveryRecord {
  return { id: deliveryIdOf(delivery), ...delivery, state: 'pending', attempts: 0 };
}
