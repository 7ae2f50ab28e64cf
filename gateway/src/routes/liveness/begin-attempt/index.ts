import type { LivenessAttemptRequest } from '@presenza/contract/client/types.d.ts';
import { checkDevice } from '../../../services/liveness/capture/device-type';
import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/attempts', 'liveness-attempt-request.json');

/** POST /liveness/{sessionId}/attempts: begins an attempt. */
export const beginAttempt = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('beginLivenessAttempt', body, async (address, req) => {
    const { sessions, lockout, capture } = services.liveness;
    const { consentNotice: notice, consentLocale: locale, device } = req.body as LivenessAttemptRequest;
    const { id, type, camera = {} } = device;
    const origin = lockout.originOf(address.accountId, id, req.ip ?? '');
    await lockout.check({ accountId: address.accountId, ...origin });
    const session = await sessions.find(address);
    checkDevice(session.policy, { type, agent: req.get('user-agent'), mobile: req.get('sec-ch-ua-mobile') });
    return capture.begin(session, { origin, camera, notice, locale });
  });
