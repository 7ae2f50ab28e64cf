import type { Request, Response } from 'express';
import type { Principal } from '../../../services/keys/keys';
import { addressOf } from '../../../services/liveness/session/session-store';
import type { LivenessSessions } from '../../../services/liveness/session/sessions';
import type { GuardServices } from '../../guards';
import { idempotencyKeyOf } from '../../idempotency';
import { findOwnSession } from '../../own-session';
import type { Operation } from '../../route';
import { jsonBody } from '../../session-operation';

/** POST /liveness/{sessionId}/cancel: the user or the account cancels the session. */
export const cancelSession = (services: Pick<GuardServices, 'liveness'>): Operation => ({
  method: 'post',
  policy: {
    operation: 'cancelLivenessSession',
    caller: 'either',
    product: 'livenessVerification',
    counted: true,
    body: jsonBody('/liveness/{sessionId}/cancel', 'empty-request.json'),
  },
  handle: async (req, res) => {
    const { session: address, requestId } = res.locals;
    const { sessions } = services.liveness;
    const { session } = address ? await sessions.cancel(address) : await cancelByKey(sessions, req, res);
    res.json({ success: true, data: { status: session.status }, requestId });
  },
});

async function cancelByKey(sessions: LivenessSessions, req: Request, { locals }: Response) {
  const principal = locals.principal as Principal;
  // A repetition needs no record of the first call. A malformed key is an error as in any other call.
  idempotencyKeyOf(req, principal);
  return sessions.cancelOpen(addressOf(await findOwnSession(sessions, req.params, principal)));
}
