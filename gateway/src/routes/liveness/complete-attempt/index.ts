import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/attempts/{attemptId}/complete', 'empty-request.json');

/** POST /liveness/{sessionId}/attempts/{attemptId}/complete: checks an attempt. */
export const completeAttempt = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('completeLivenessAttempt', body, async (address, { params }, { locals }) => {
    const { sessions, checks } = services.liveness;
    const { requestId, stages } = locals;
    return checks.complete(await sessions.find(address), String(params.attemptId), { requestId, stages });
  });
