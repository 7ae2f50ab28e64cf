import type { ApiError } from '../../../errors';
import type { KeyMode } from '../../keys/api-key';
import { sessionGone } from '../session/session-errors';
import type { SessionAddress } from '../session/session-store';
import type { LivenessSessions } from '../session/sessions';
import type { AuditImages } from './audit-images';

export interface Erasers {
  readonly sessions: Pick<LivenessSessions, 'find' | 'erase' | 'resumeErasure'>;
  readonly auditImages: Pick<AuditImages, 'erase'>;
}

/**
 * Erases all data of a session, and its audit image, which may outlive the session.
 * @param mode of the API key; absent for people.
 * @throws ApiError NOT_FOUND, SESSION_STATE_CONFLICT during a check, or SERVICE_UNAVAILABLE
 */
export async function eraseSession(
  { sessions, auditImages }: Erasers,
  address: SessionAddress,
  mode?: KeyMode,
): Promise<void> {
  // After a failed request, a retry must not get 404 while the session's key still exists.
  await sessions.resumeErasure(address);
  // First, because after a crash only the session's erasure resumes without another request.
  const hadImage = await auditImages.erase(address, mode);
  const gone = await sessions
    .find(address)
    .then((session) => {
      if ((mode ?? session.mode) !== session.mode) throw sessionGone();
      return sessions.erase(address);
    })
    .catch((error: ApiError) => error);
  if (gone && gone.code !== 'NOT_FOUND') throw gone;
  // A check that ended meanwhile has kept its image.
  const hadLateImage = await auditImages.erase(address, mode);
  if (gone && !hadImage && !hadLateImage) throw gone;
}
