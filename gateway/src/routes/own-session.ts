import type { Principal } from '../services/keys/keys';
import type { Session } from '../services/liveness/session/session';
import { sessionGone } from '../services/liveness/session/session-errors';
import type { LivenessSessions } from '../services/liveness/session/sessions';

/**
 * Finds a session of the key's account and mode.
 * @param params of the request's path
 * @throws ApiError NOT_FOUND
 */
export async function findOwnSession(
  sessions: Pick<LivenessSessions, 'find'>,
  { sessionId = '' }: Readonly<Record<string, string | string[]>>,
  { accountId, mode }: Principal,
): Promise<Session> {
  const session = await sessions.find({ accountId, sessionId: String(sessionId) });
  if (session.mode !== mode) throw sessionGone();
  return session;
}
