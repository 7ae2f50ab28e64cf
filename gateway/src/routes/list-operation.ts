/** Operations that list something for an API key, page by page, newest first. */
import type { Request, Response } from 'express';
import { ApiError } from '../errors';
import { wrongValue } from '../errors/expectation';
import { type QueryPath, queryReader } from '../middleware/query';
import type { Principal } from '../services/keys/keys';
import type { Page, PageOf } from '../services/pages';
import type { Policy } from './guards';
import type { Operation } from './route';

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

type List<Filter> = (principal: Principal, page: PageOf & Filter, req: Request) => Promise<Page<object>>;

/**
 * @param path in the API description, whose query parameters are `limit`, `cursor` and the fields of `Filter`.
 * @param list resolves to one page, with its entries as the response shows them.
 */
export function listOperation<Filter extends object>(
  path: QueryPath,
  policy: Pick<Policy, 'operation' | 'product' | 'manages'>,
  list: List<Filter>,
): Operation {
  const read = queryReader<PageQuery & Filter>(path);
  return {
    method: 'get',
    policy: { caller: 'key', counted: true, ...policy },
    handle: async (req, res) => {
      const query = read(req);
      const { cursor, ...page } = query;
      const after = cursor !== undefined && { after: cursor };
      const { items, next } = await list(
        res.locals.principal as Principal,
        { ...page, ...after } as PageOf & Filter,
        req,
      );
      if (next !== undefined) linkTo(res, { ...query, cursor: next });
      const data = { items, hasMore: next !== undefined, ...(next !== undefined && { nextCursor: next }) };
      res.json({ success: true, data, requestId: res.locals.requestId });
    },
  };
}

/** Links to the next page (RFC 8288). The reference is relative, because only a proxy may know the public address. */
function linkTo(res: Response, query: object): void {
  const fields = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  res.links({ next: `?${new URLSearchParams(fields)}` });
}

interface Times {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The range of time of a query, in milliseconds since 1970. @throws ApiError INVALID_PARAMETERS */
export const timesOf = ({ from, to }: Times) => ({
  ...(from !== undefined && { from: timeOf(from, 'from') }),
  ...(to !== undefined && { to: timeOf(to, 'to') }),
});

/** The format of the contract allows leap seconds, which JavaScript cannot parse. */
function timeOf(text: string, field: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new ApiError('INVALID_PARAMETERS', wrongValue(field, 'time'));
}
