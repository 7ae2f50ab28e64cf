import { isoTime } from '../services/timing/iso-time';
import { account, key, type Operation, operation, type PageInput, page } from './operation';

interface Wanted extends PageInput {
  readonly account: string;
  readonly requestId?: string;
  readonly key?: string;
  readonly failed?: boolean;
}

/** The schema of the data of `requests list`. */
export const requestsOutput = {
  type: 'object',
  additionalProperties: false,
  required: ['requests'],
  properties: {
    requests: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['requestId', 'at', 'keyId', 'mode', 'method', 'path', 'status', 'ms'],
        properties: {
          requestId: { type: 'string' },
          at: { type: 'string', format: 'date-time', description: 'When it began' },
          keyId: { type: 'string', description: 'Id of the key; `console` for the playground' },
          mode: { type: 'string', enum: ['live', 'test'] },
          method: { type: 'string' },
          path: { type: 'string', description: 'Template of the path, such as /liveness/{sessionId}' },
          status: { type: 'integer', description: '499 if the client disconnected before the response' },
          code: { type: 'string', description: 'Code of the error' },
          ms: { type: 'integer', minimum: 0 },
        },
      },
    },
    next: { type: 'string', description: 'The `after` of the next page, which may follow an empty one' },
  },
} as const;

export const requestOperations: readonly Operation[] = [
  operation<Wanted>({
    words: 'requests list',
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
      after: { ...page.after, pattern: '^\\d{1,15}-\\d{1,10}$' },
    },
    required: ['account'],
    changes: false,
    run: async ({ keys, requests }, { account, ...wanted }) => {
      await keys.findAccount(account);
      const { items, next } = await requests.list(account, wanted);
      const entries = items.map((one) => ({ ...one, at: isoTime(one.at) }));
      return { requests: entries, ...(next !== undefined && { next }) };
    },
  }),
];
