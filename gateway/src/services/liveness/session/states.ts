/**
 * The states of a liveness session and all allowed transitions. The store carries out each transition atomically, together
 * with its event and the settlement of its unit.
 */
export const statuses = [
  'created',
  'started',
  'checking',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const;
export type SessionStatus = (typeof statuses)[number];

export const finalStatuses = ['completed', 'failed', 'cancelled', 'expired'] as const;
export type FinalStatus = (typeof finalStatuses)[number];

export const isFinal = (status: SessionStatus): status is FinalStatus =>
  finalStatuses.some((final) => final === status);

/** An id of `events.json`. */
export type SessionEventType = `session.${'started' | FinalStatus}`;

export interface Transition {
  readonly from: readonly SessionStatus[];
  readonly to: SessionStatus;
  /** The event that webhooks deliver. */
  readonly event?: SessionEventType;
  /** Settles the unit that is reserved for the session; without it the unit stays reserved. */
  readonly unit?: 'commit' | 'refund';
}

export const transitions = {
  /** The user opened the verification URL. */
  start: { from: ['created'], to: 'started', event: 'session.started' },
  /** A capture begins and replaces the running one. */
  beginAttempt: { from: ['started'], to: 'started' },
  /** The check of a capture begins. */
  beginCheck: { from: ['started'], to: 'checking' },
  /** Another gateway takes over a check whose lease has ended. */
  takeOverCheck: { from: ['checking'], to: 'checking' },
  /** The check failed, and attempts are left. */
  retry: { from: ['checking'], to: 'started' },
  complete: { from: ['checking'], to: 'completed', event: 'session.completed', unit: 'commit' },
  fail: { from: ['checking'], to: 'failed', event: 'session.failed', unit: 'commit' },
  /** The user closed the page. */
  leave: { from: ['started'], to: 'started' },
  /** The user opened the page again, for example by a reload. */
  rejoin: { from: ['started'], to: 'started' },
  /** The user did not return in time. */
  abandon: { from: ['started'], to: 'cancelled', event: 'session.cancelled', unit: 'refund' },
  cancel: { from: ['created', 'started'], to: 'cancelled', event: 'session.cancelled', unit: 'refund' },
  /** The session's time has passed; a running check has minutes more. */
  expire: {
    from: ['created', 'started', 'checking'],
    to: 'expired',
    event: 'session.expired',
    unit: 'refund',
  },
} as const satisfies Record<string, Transition>;
export type TransitionName = keyof typeof transitions;
