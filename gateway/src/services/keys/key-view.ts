import { isoTime } from '../timing/iso-time';
import { endOf, type KeyRecord } from './key-records';

/** A key as operators and callers with an API key see it, never the key itself: `api-key.json` without its state. */
export function keyView({
  id,
  mode,
  name,
  products,
  cidrs,
  auditImages,
  createdAt,
  rolledTo,
  createdByKey,
  ...times
}: KeyRecord) {
  const { expiresAt, revokedAt } = times;
  return {
    keyId: id,
    mode,
    ...(name !== undefined && { name }),
    ...(products && { products }),
    ...(cidrs && { cidrs }),
    ...(auditImages && { auditImages }),
    createdAt: isoTime(createdAt),
    ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: isoTime(revokedAt) }),
    ...(rolledTo !== undefined && { rolledTo }),
    ...(createdByKey !== undefined && { createdByKey }),
  };
}

/** @param now milliseconds since 1970 */
export const keyWithState = (record: KeyRecord, now: number) => ({
  ...keyView(record),
  state: stateOf(record, now),
});

function stateOf(record: KeyRecord, now: number): 'active' | 'expired' | 'revoked' {
  if (record.revokedAt !== undefined) return 'revoked';
  return endOf(record) <= now ? 'expired' : 'active';
}
