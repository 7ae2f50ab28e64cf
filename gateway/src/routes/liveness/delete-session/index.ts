import type { Principal } from '../../../services/keys/keys';
import { eraseSession } from '../../../services/liveness/audit/erase-session';
import type { GuardServices } from '../../guards';
import type { Operation } from '../../route';

/** DELETE /liveness/{sessionId}: erases all data of a session. */
export const deleteSession = ({ liveness }: Pick<GuardServices, 'liveness'>): Operation => ({
  method: 'delete',
  policy: {
    operation: 'deleteLivenessSession',
    caller: 'key',
    product: 'livenessVerification',
    counted: true,
  },
  handle: async (req, res) => {
    const { accountId, mode } = res.locals.principal as Principal;
    const address = { accountId, sessionId: String(req.params.sessionId) };
    await eraseSession(liveness, address, mode);
    res.json({
      success: true,
      data: { sessionId: address.sessionId, deleted: true },
      requestId: res.locals.requestId,
    });
  },
});
