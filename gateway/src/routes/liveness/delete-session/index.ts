import type { AppError } from '../../../errors';
import type { Principal } from '../../../services/keys/keys';
import type { GuardServices } from '../../guards';
import { findOwnSession } from '../../own-session';
import type { Operation } from '../../route';

/** DELETE /liveness/{sessionId}: erases all data of a session, and its audit image, which may outlive the session. */
export const deleteSession = (services: Pick<GuardServices, 'liveness'>): Operation => ({
  method: 'delete',
  policy: {
    operation: 'deleteLivenessSession',
    caller: 'key',
    product: 'livenessVerification',
    counted: true,
  },
  handle: async (req, res) => {
    const principal = res.locals.principal as Principal;
    const { sessions, auditImages } = services.liveness;
    const address = { accountId: principal.accountId, sessionId: String(req.params.sessionId) };
    // After a failed request, a retry must not get 404 while the session's key still exists.
    await sessions.resumeErasure(address);
    const eraseImage = () => auditImages.erase(address, principal.mode);
    // First, because after a crash only the session's erasure resumes without another request.
    const hadImage = await eraseImage();
    const gone = await findOwnSession(sessions, req.params, principal).then(
      () => sessions.erase(address),
      (error: AppError) => error,
    );
    if (gone && gone.code !== 'NOT_FOUND') throw gone;
    // A check that ended meanwhile has kept its image.
    const hadLateImage = await eraseImage();
    if (gone && !hadImage && !hadLateImage) throw gone;
    res.json({
      success: true,
      data: { sessionId: address.sessionId, deleted: true },
      requestId: res.locals.requestId,
    });
  },
});
