import { withKnownHint } from '../../../services/liveness/earlier-api-versions';
import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/attempts/{attemptId}/complete', 'empty-request.json');

/** POST /liveness/{sessionId}/attempts/{attemptId}/complete: checks an attempt. */
export const completeAttempt = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('completeLivenessAttempt', body, async (address, { params }, { locals }) => {
    const { sessions, checks } = services.liveness;
    const { requestId, stages } = locals;
    const session = await sessions.find(address);
    const outcome = await checks.complete(session, String(params.attemptId), { requestId, stages });
    return withKnownHint(outcome, locals.apiVersion as string);
  });
