import type { Principal } from '../../../services/keys/keys';
import { accountView, userView } from '../../../services/liveness/session/views';
import type { GuardServices } from '../../guards';
import { findOwnSession } from '../../own-session';
import type { Operation } from '../../route';

/** GET /liveness/{sessionId}: shows a session to its account, and its status to its user. */
export const getSession = (services: Pick<GuardServices, 'liveness'>): Operation => ({
  method: 'get',
  policy: {
    operation: 'getLivenessSession',
    caller: 'either',
    product: 'livenessVerification',
    counted: true,
  },
  handle: async (req, res) => {
    const { session: address, principal, requestId } = res.locals;
    const { sessions } = services.liveness;
    const data = address
      ? userView(await sessions.find(address))
      : accountView(await findOwnSession(sessions, req.params, principal as Principal));
    res.json({ success: true, data, requestId });
  },
});
