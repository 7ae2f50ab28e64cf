import type { LivenessAttemptRequest } from '@presenza/contract/client/types.d.ts';
import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/attempts', 'liveness-attempt-request.json');

/** POST /liveness/{sessionId}/attempts: begins an attempt. */
export const beginAttempt = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('beginLivenessAttempt', body, async (address, { body, ip = '' }) => {
    const { sessions, lockout, capture } = services.liveness;
    const { consentNotice: notice, consentLocale: locale, device } = body as LivenessAttemptRequest;
    const { id, camera = {} } = device;
    const origin = lockout.originOf(address.accountId, id, ip);
    await lockout.check({ accountId: address.accountId, ...origin });
    return capture.begin(await sessions.find(address), { origin, camera, notice, locale });
  });
