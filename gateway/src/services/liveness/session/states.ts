/**
 * The states of a liveness session and every change between them that is allowed. Whatever is not listed here changes
 * nothing. Each change is carried out by the store in one step, together with its event and the settling of its unit.
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
  /** What receivers of webhooks are told of it. */
  readonly event?: SessionEventType;
  /** What becomes of the unit that is reserved for the session; without it the unit stays reserved. */
  readonly unit?: 'commit' | 'refund';
}

export const transitions = {
  /** The user opened the verification URL. */
  start: { from: ['created'], to: 'started', event: 'session.started' },
  /** A capture begins, in place of the one that runs. */
  beginAttempt: { from: ['started'], to: 'started' },
  /** A capture is judged from now on. */
  beginCheck: { from: ['started'], to: 'checking' },
  /** Whoever judged it is gone: its lease has ended, and another takes over. */
  takeOverCheck: { from: ['checking'], to: 'checking' },
  /** It was not passed, and attempts are left. */
  retry: { from: ['checking'], to: 'started' },
  complete: { from: ['checking'], to: 'completed', event: 'session.completed', unit: 'commit' },
  fail: { from: ['checking'], to: 'failed', event: 'session.failed', unit: 'commit' },
  /** The page was closed. */
  leave: { from: ['started'], to: 'started' },
  /** It is open again, as after it was loaded anew. */
  comeBack: { from: ['started'], to: 'started' },
  /** Nobody came back in time. */
  abandon: { from: ['started'], to: 'cancelled', event: 'session.cancelled', unit: 'refund' },
  cancel: { from: ['created', 'started'], to: 'cancelled', event: 'session.cancelled', unit: 'refund' },
  /** Only once its time has passed; a check has minutes more to be ended. */
  expire: {
    from: ['created', 'started', 'checking'],
    to: 'expired',
    event: 'session.expired',
    unit: 'refund',
  },
} as const satisfies Record<string, Transition>;
export type TransitionName = keyof typeof transitions;
