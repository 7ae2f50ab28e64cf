import { namedPage } from '../services/pages';
import { account, afterTime, type Operation, operation, type PageInput, page } from './operation';

export const auditOperations: readonly Operation[] = [
  operation<PageInput & { account?: string }>({
    id: 'audit list',
    summary: 'Lists what was changed, by whom, newest first',
    http: ['GET', '/audit'],
    properties: {
      account: { ...account, description: 'Only what was done to this account' },
      limit: page.limit,
      after: afterTime,
    },
    changes: false,
    run: async ({ audit }, { account, ...wanted }) => {
      const chosen = { ...wanted, ...(account !== undefined && { accountId: account }) };
      return namedPage('entries', await audit.list(chosen));
    },
  }),
];
