import type { RequestHandler } from 'express';
import type { Lifetime } from '../services/contract/operations';

/** Announces in each response since when the operation is deprecated (RFC 9745), and when it ends (RFC 8594). */
export function announceDeprecation({
  'x-deprecated-at': deprecatedAt,
  'x-sunset-at': sunsetAt,
}: Lifetime): RequestHandler {
  const headers = {
    ...(deprecatedAt && { Deprecation: `@${Date.parse(deprecatedAt) / 1_000}` }),
    ...(sunsetAt && { Sunset: new Date(sunsetAt).toUTCString() }),
  };
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}
