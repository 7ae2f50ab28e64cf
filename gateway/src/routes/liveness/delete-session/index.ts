import type { Principal } from '../../../services/keys/keys';
import { addressOf } from '../../../services/liveness/session/session-store';
import type { GuardServices } from '../../guards';
import { findOwnSession } from '../../own-session';
import type { Operation } from '../../route';

/** DELETE /liveness/{sessionId}: erases all data of a session. */
export const deleteSession = (services: Pick<GuardServices, 'liveness'>): Operation => ({
  method: 'delete',
  policy: {
    operation: 'deleteLivenessSession',
    caller: 'key',
    product: 'livenessVerification',
    counted: true,
  },
  handle: async (req, res) => {
    const { principal, requestId } = res.locals;
    const { sessions } = services.liveness;
    const { accountId } = principal as Principal;
    // After a failed request, a retry must not get 404 while the session's key still exists.
    await sessions.resumeErasure({ accountId, sessionId: String(req.params.sessionId) });
    const address = addressOf(await findOwnSession(sessions, req.params, principal as Principal));
    await sessions.erase(address);
    res.json({ success: true, data: { sessionId: address.sessionId, deleted: true }, requestId });
  },
});
