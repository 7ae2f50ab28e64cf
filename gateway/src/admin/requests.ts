import { OperatorError } from '../errors';
import { namedPage } from '../services/pages';
import type { RequestFilter, RequestReader, StoredRequest } from '../services/requests/request-log';
import { isoTime } from '../services/timing/iso-time';
import { stageNames } from '../services/timing/stages';
import {
  account,
  afterTime,
  key,
  type Operation,
  operation,
  type PageInput,
  type Property,
  page,
  time,
} from './operation';

/** Entries that one page of an export reads, and the pages of an export. */
const exported = { limit: 500, pages: 20 };

const filters: Readonly<Record<string, Property>> = {
  requestId: {
    type: 'string',
    pattern: '^[\\w.:-]{1,128}$',
    description: 'Only requests with this id',
  },
  key: { ...key, description: 'Only requests with this key' },
  path: {
    type: 'string',
    pattern: '^/[\\w{}/-]{0,99}$',
    description: 'Only requests with this path of the reference, such as /liveness/{sessionId}',
  },
  status: {
    type: 'string',
    pattern: '^[1-5](?:\\d\\d|xx)$',
    description: 'Only requests with this status, such as 404, or with a status of this class, such as 4xx',
  },
  failed: { type: 'boolean', description: 'Only requests that failed, or only those that did not' },
  from: time('Only requests since this time'),
  to: time('Only requests before this time'),
};

interface Filters {
  readonly account: string;
  readonly requestId?: string;
  readonly key?: string;
  readonly path?: string;
  readonly status?: string;
  readonly failed?: boolean;
  readonly from?: string;
  readonly to?: string;
}

function filterOf({ from, to, ...others }: Omit<Filters, 'account'>): RequestFilter {
  return {
    ...others,
    ...(from !== undefined && { from: Date.parse(from) }),
    ...(to !== undefined && { to: Date.parse(to) }),
  };
}

const view = ({ id, at, ...entry }: StoredRequest) => ({ entryId: id, ...entry, at: isoTime(at) });

/** Filters that examine many entries to find few. The others select a part of the log that Redis finds at once. */
const isSearch = ({ requestId, key, path, status }: Partial<Filters>) =>
  [requestId, key, path, status].some((value) => value !== undefined);

const fields = [
  'method',
  'path',
  'status',
  'code',
  'ms',
  'mode',
  'keyId',
  'requestId',
  'apiVersion',
  'requestBytes',
  'responseBytes',
] as const;
const columns = ['time', ...fields, ...stageNames.map((name) => `${name}Ms`)];

/** All values are ids, numbers and fixed texts, so none needs quotes. */
const lineOf = ({ at, stages = {}, ...entry }: StoredRequest) =>
  `${[isoTime(at), ...fields.map((name) => entry[name]), ...stageNames.map((name) => stages[name])].join()}\n`;

async function* linesOf(
  requests: RequestReader,
  accountId: string,
  filter: RequestFilter,
): AsyncGenerator<string> {
  let head = `${columns.join()}\n`;
  let after: string | undefined;
  for (let read = 0; read < exported.pages; read++) {
    const wanted = { ...filter, limit: exported.limit, ...(after !== undefined && { after }) };
    const { items, next } = await requests.list(accountId, wanted);
    yield head + items.map(lineOf).join('');
    head = '';
    if (next === undefined) return;
    after = next;
  }
}

export const requestOperations: readonly Operation[] = [
  operation<Filters & PageInput & { since?: string }>({
    id: 'requests list',
    summary: 'Lists requests with API keys of the last 7 days, newest first, without their content',
    http: ['GET', '/accounts/:account/requests'],
    properties: {
      account,
      ...filters,
      limit: page.limit,
      after: afterTime,
      since: {
        ...afterTime,
        description: 'Only requests after this entry: the `newest` of an earlier response',
      },
    },
    required: ['account'],
    changes: false,
    isSearch: (input) => input.since === undefined && isSearch(input),
    run: async ({ keys, requests }, { account, limit, after, since, ...wanted }) => {
      await keys.findAccount(account);
      const places = { limit, ...(after !== undefined && { after }), ...(since !== undefined && { since }) };
      const list = await requests.list(account, { ...filterOf(wanted), ...places });
      return {
        ...namedPage('requests', list, view),
        ...(list.newest !== undefined && { newest: list.newest }),
      };
    },
  }),
  operation<{ account: string; request: string }>({
    id: 'requests show',
    summary: 'Shows one request of the log, by the id of its entry',
    http: ['GET', '/accounts/:account/requests/:request'],
    properties: { account, request: { ...afterTime, description: 'Id of the entry' } },
    required: ['account', 'request'],
    changes: false,
    run: async ({ keys, requests }, { account, request }) => {
      await keys.findAccount(account);
      const entry = await requests.find(account, request);
      if (!entry) throw new OperatorError(`The log has no entry ${request}`, 'NOT_FOUND');
      return view(entry);
    },
  }),
  operation<{ account: string }>({
    id: 'requests count',
    summary: 'Counts the requests of this hour and of the 23 hours before, by the class of their status',
    http: ['GET', '/accounts/:account/request-counts'],
    properties: { account },
    required: ['account'],
    changes: false,
    run: async ({ keys, requests }, { account }) => {
      await keys.findAccount(account);
      const hours = await requests.countByHour(account);
      return { hours: hours.map(({ from, ...counts }) => ({ from: isoTime(from), ...counts })) };
    },
  }),
  operation<Filters>({
    id: 'requests export',
    summary: `Writes the newest requests of the log as CSV, ${exported.pages * exported.limit} at most`,
    http: ['GET', '/accounts/:account/request-export'],
    isSearch: () => true,
    properties: { account, ...filters },
    required: ['account'],
    changes: false,
    run: async ({ keys, requests }, { account, ...wanted }) => {
      await keys.findAccount(account);
      return {
        mediaType: 'text/csv; charset=utf-8',
        fileName: 'requests.csv',
        lines: linesOf(requests, account, filterOf(wanted)),
      };
    },
  }),
];
