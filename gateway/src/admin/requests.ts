import { namedPage } from '../services/pages';
import { isoTime } from '../services/timing/iso-time';
import { account, afterTime, key, type Operation, operation, type PageInput, page } from './operation';

interface Wanted extends PageInput {
  readonly account: string;
  readonly requestId?: string;
  readonly key?: string;
  readonly failed?: boolean;
}

export const requestOperations: readonly Operation[] = [
  operation<Wanted>({
    id: 'requests list',
    summary: 'Lists requests with API keys of the last 7 days, newest first, without their content',
    http: ['GET', '/accounts/:account/requests'],
    properties: {
      account,
      requestId: {
        type: 'string',
        pattern: '^[\\w.:-]{1,128}$',
        description: 'Only requests with this id',
      },
      key: { ...key, description: 'Only requests with this key' },
      failed: { type: 'boolean', description: 'Only requests that failed, or only those that did not' },
      limit: page.limit,
      after: afterTime,
    },
    required: ['account'],
    changes: false,
    isSearch: ({ requestId, key }) => requestId !== undefined || key !== undefined,
    run: async ({ keys, requests }, { account, ...wanted }) => {
      await keys.findAccount(account);
      const list = await requests.list(account, wanted);
      return namedPage('requests', list, (entry) => ({ ...entry, at: isoTime(entry.at) }));
    },
  }),
];
