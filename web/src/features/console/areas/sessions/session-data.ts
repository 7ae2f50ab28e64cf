import type { SessionStatus } from '@presenza/contract/console/types.d.ts';
import { useAccount } from '../../state/context';

export const isFinal = (status: SessionStatus): boolean =>
  !['created', 'started', 'checking'].includes(status);

/** The look of each status. */
export const looks: Readonly<Record<SessionStatus, string>> = {
  created: 'unmeasured',
  started: 'unmeasured',
  checking: 'unmeasured',
  completed: 'reached',
  failed: 'missed',
  cancelled: 'none',
  expired: 'none',
};

/** Data and permissions that both pages of sessions need. */
export function useSessions() {
  const { texts, api, account, may } = useAccount();
  return { text: texts.sessions, api, account: account.accountId, may };
}
