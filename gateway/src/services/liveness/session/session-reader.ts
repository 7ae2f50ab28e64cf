import type { SessionReader } from '../../webhooks/events';
import type { SealedParts } from './sealed-parts';
import type { SessionStore } from './session-store';
import { consentOf } from './views';

/** What events say of their sessions. */
export const sessionReader = (
  store: Pick<SessionStore, 'find'>,
  seals: Pick<SealedParts, 'open'>,
): SessionReader => ({
  async readDetails(accountId, sessionId) {
    const record = await store.find({ accountId, sessionId });
    if (!record) return undefined;
    const { result, match, metadata } = seals.open(record);
    const consent = consentOf(record);
    return {
      ...(result && { result }),
      ...(match && { match }),
      ...(consent && { consent }),
      ...(metadata && { metadata }),
    };
  },
});
