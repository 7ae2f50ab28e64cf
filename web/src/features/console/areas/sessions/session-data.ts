import { useAccount } from '../../context';
import type { Words } from '../../words';

type SessionWords = Words['sessions'];
export type SessionStatus = keyof SessionWords['statuses'];
export type Mode = keyof SessionWords['modes'];
export type Reason = keyof SessionWords['reasons'];

export interface Session {
  readonly sessionId: string;
  readonly status: SessionStatus;
  readonly mode: Mode;
  readonly keyId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly dataExpiresAt?: string;
  readonly consentNotice?: string;
  readonly consentLocale?: string;
  readonly begunAttempts: number;
  readonly failedAttempts: number;
  readonly hasReference: boolean;
}

export interface TimelineEntry {
  readonly at: string;
  readonly event: Exclude<keyof SessionWords['timeline'], 'title' | 'passed' | 'failed'>;
  readonly attempt?: string;
  readonly outcome?: 'passed' | 'failed';
  readonly reason?: Reason;
}

export interface SessionWithTimeline extends Session {
  readonly timeline: readonly TimelineEntry[];
}

export const isFinal = (status: SessionStatus): boolean =>
  !['created', 'started', 'checking'].includes(status);

/** The look of each status. */
export const looks: Readonly<Record<SessionStatus, string>> = {
  ...{ created: 'unmeasured', started: 'unmeasured', checking: 'unmeasured' },
  ...{ completed: 'reached', failed: 'missed', cancelled: 'none', expired: 'none' },
};

/** Data and permissions that both pages of sessions need. */
export function useSessions() {
  const state = useAccount();
  const { role, accountId } = state.account;
  return {
    ...state,
    text: state.words.sessions,
    path: `/accounts/${accountId}/sessions`,
    mayChange: role === 'owner' || role === 'developer',
    isOwner: role === 'owner',
  };
}
