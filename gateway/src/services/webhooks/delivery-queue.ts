/** The queue of deliveries, which all gateways share. */
import type { Delivery } from './delivery-log';

export interface QueuedDelivery {
  readonly delivery: Delivery;
  /** Before the first attempt. */
  readonly delayMs: number;
  /** Outbox entry of a replay. Each entry starts the delivery anew, even if it has ended before. */
  readonly replay?: string;
}

export interface DeliveryQueue {
  /** Ignores deliveries that are in the queue already. */
  add(deliveries: readonly QueuedDelivery[]): Promise<void>;
}

/** The next step of a delivery after an attempt. */
export type NextStep =
  | { readonly kind: 'done' }
  | { readonly kind: 'dead' }
  | { readonly kind: 'retry'; readonly ms: number }
  /** There was no attempt. */
  | { readonly kind: 'later'; readonly ms: number };

export interface QueueState {
  /** Deliveries that wait for an attempt or are under way. */
  readonly backlog: number;
  /** When the first delivery in line became due, in milliseconds since 1970; undefined if none waits. */
  readonly dueSince: number | undefined;
  readonly deadLetters: number;
}
