import type { SessionRecord } from '../../services/liveness/session/session';
import type { SessionStatus } from '../../services/liveness/session/states';

/**
 * Parses a session's hash, a list of alternating names and values.
 * @param keyApart the session's sealed key, if it is stored apart from the hash.
 * @returns undefined without a key: nothing of the session can be opened.
 */
export function recordOf(
  accountId: string,
  entries: readonly string[],
  keyApart?: string,
): SessionRecord | undefined {
  const fields = new Map<string, string>();
  for (let at = 0; at < entries.length; at += 2) {
    fields.set(entries[at] as string, entries[at + 1] as string);
  }
  const dataKey = fields.get('dataKey') ?? keyApart;
  if (dataKey === undefined) return undefined;
  const text = (name: string) => fields.get(name) as string;
  const optional = <T>(name: string, read: (text: string) => T) => {
    const value = fields.get(name);
    return value === undefined ? {} : { [name]: read(value) };
  };
  return {
    accountId,
    id: text('id'),
    status: text('status') as SessionStatus,
    mode: text('mode') as SessionRecord['mode'],
    keyId: text('keyId'),
    createdAt: Number(text('createdAt')),
    expiresAt: Number(text('expiresAt')),
    dataExpiresAt: Number(text('dataExpiresAt')),
    ...optional('startedAt', Number),
    ...optional('finishedAt', Number),
    ...optional('consentAt', Number),
    ...(fields.get('consentNotice') && { consentNotice: text('consentNotice') }),
    ...(fields.get('consentLocale') && { consentLocale: text('consentLocale') }),
    ...optional('undecided', String),
    ...optional('leaveAt', Number),
    ...optional('checkingUntil', Number),
    ...optional('stepMs', Number),
    hasReference: text('hasReference') === '1',
    maxAttempts: Number(text('attempts')),
    begun: Number(text('begun')),
    spent: Number(fields.get('spent') ?? 0),
    failures: Number(text('failures')),
    ...optional('attemptId', String),
    ...optional('device', String),
    ...optional('network', String),
    ...(fields.get('subjects') && { subjects: text('subjects').split(',') }),
    dataKey,
    details: text('details'),
    ...optional('outcome', String),
    ...optional('redirect', String),
    ...optional('explanation', String),
  };
}
