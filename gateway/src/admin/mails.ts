import { normalized } from '../services/identity/people';
import { isoTime } from '../services/timing/iso-time';
import { type Operation, operation, page } from './operation';
import { email } from './people';

const to = { ...email, description: 'Only mails to this address' };

export const mailOperations: readonly Operation[] = [
  operation({
    id: 'mails count',
    summary: 'Counts the mails of the console, if there is no mail server',
    http: ['GET', '/mails/count'],
    properties: {},
    changes: false,
    run: async ({ mailbox }) => {
      const { count, newestAt } = await mailbox.state();
      return { count, ...(newestAt !== undefined && { newestAt: isoTime(newestAt) }) };
    },
  }),
  operation<{ limit: number; to?: string }>({
    id: 'mails list',
    summary: 'Lists mails of the console, newest first, if there is no mail server',
    http: ['GET', '/mails'],
    properties: { limit: page.limit, to },
    changes: false,
    // Their links open accounts.
    discloses: true,
    run: async ({ mailbox }, { limit, to }) => ({
      mails: (await mailbox.list(limit, to && normalized(to))).map(({ at, ...mail }) => ({
        ...mail,
        at: isoTime(at),
      })),
    }),
  }),
];
