import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/cancel', 'empty-request.json');

/** POST /liveness/{sessionId}/cancel: the user cancels the session. */
export const cancelSession = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('cancelLivenessSession', body, async (address) => {
    const { session } = await services.liveness.sessions.cancel(address);
    return { status: session.status };
  });
