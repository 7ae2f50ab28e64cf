import type { LivenessStatus } from '@presenza/contract/client/types.d.ts';
import { accountView } from '../../../services/liveness/session/views';
import type { GuardServices } from '../../guards';
import { listOperation, timesOf } from '../../list-operation';

interface Filter {
  readonly status?: LivenessStatus;
  /** `name:value` */
  readonly metadata?: string;
  readonly from?: string;
  readonly to?: string;
}

/** GET /liveness: lists the sessions of the key's account and mode. */
export const listSessions = ({ liveness }: Pick<GuardServices, 'liveness'>) =>
  listOperation<Filter>(
    '/liveness',
    { operation: 'listLivenessSessions', product: 'livenessVerification' },
    async ({ accountId, mode }, { from, to, ...page }) => {
      const times = timesOf({ from, to });
      const { items, ...rest } = await liveness.sessions.list(accountId, { ...page, ...times, mode });
      return { items: items.map(accountView), ...rest };
    },
  );
