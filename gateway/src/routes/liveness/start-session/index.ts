import { startView } from '../../../services/liveness/session/views';
import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/start', 'empty-request.json');

/** POST /liveness/{sessionId}/start: the user opened the verification URL. */
export const startSession = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('startLivenessSession', body, async (address) =>
    startView(await services.liveness.sessions.start(address)),
  );
