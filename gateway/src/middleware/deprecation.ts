import type { Response } from 'express';
import type { Lifetime } from '../services/contract/lifetime';

/**
 * Announces since when something is deprecated (RFC 9745), and when it ends (RFC 8594). The dates of an operation, which
 * come first, apply to every version.
 */
export function announceDeprecation(res: Response, { deprecatedAt, sunsetAt }: Lifetime): void {
  if (!deprecatedAt || res.hasHeader('Deprecation')) return;
  res.set('Deprecation', `@${Date.parse(deprecatedAt) / 1_000}`);
  if (sunsetAt) res.set('Sunset', new Date(sunsetAt).toUTCString());
}
