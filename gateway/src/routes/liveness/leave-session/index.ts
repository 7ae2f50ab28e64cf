import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/leave', 'empty-request.json');

/** POST /liveness/{sessionId}/leave: the user closed or reloads the page. */
export const leaveSession = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('leaveLivenessSession', body, async (address) => {
    const { status } = await services.liveness.sessions.leave(address);
    return { status };
  });
