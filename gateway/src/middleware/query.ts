/** Query strings: nothing in them is silently ignored. */
import type { Request, RequestHandler } from 'express';
import { AppError } from '../errors';
import { quoted } from '../errors/quoted';

export function queryOf({ url }: Pick<Request, 'url'>): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}

/**
 * Rejects query parameters that the operation does not take, and repeated ones.
 * @param names of the parameters that it takes.
 */
export function checkQuery(names: readonly string[]): RequestHandler {
  return (req, _res, next) => {
    refuseUnused(req, names);
    next();
  };
}

/** @throws AppError INVALID_PARAMETERS if the query string has other parameters than these, or one of them twice */
export function refuseUnused(req: Pick<Request, 'url'>, names: readonly string[] = []): void {
  const seen = new Set<string>();
  for (const name of queryOf(req).keys()) {
    const reason = names.includes(name) ? 'repeated' : 'query';
    if (reason === 'query' || seen.has(name)) throw refused(reason, name);
    seen.add(name);
  }
}

const refused = (reason: string, name: string) =>
  new AppError('INVALID_PARAMETERS', { reason, values: { field: quoted(name) } });
