import type { LivenessAttemptRequest } from '@presenza/contract/client/types.d.ts';
import { clientFaultsOf } from '../../../services/liveness/capture/client-faults';
import { checkDevice } from '../../../services/liveness/capture/device-type';
import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/attempts', 'liveness-attempt-request.json');

/** POST /liveness/{sessionId}/attempts: begins an attempt. */
export const beginAttempt = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('beginLivenessAttempt', body, async (address, req, { locals }) => {
    const { sessions, lockout, capture } = services.liveness;
    const { isFromAllowedPage = false } = locals;
    const {
      consentNotice: notice,
      consentLocale: locale,
      device,
      publicKey,
    } = req.body as LivenessAttemptRequest;
    const { id, type, camera = {} } = device;
    const session = await sessions.find(address);
    checkDevice(session.policy, { type, agent: req.get('user-agent'), mobile: req.get('sec-ch-ua-mobile') });
    const origin = lockout.originOf(session, { deviceId: id, address: req.ip ?? '', publicKey });
    await lockout.checkStart({ accountId: address.accountId, ...origin });
    const clientFaults = clientFaultsOf({ headers: req.headers, isFromAllowedPage });
    return capture.begin(session, { origin, camera, notice, locale, publicKey, clientFaults });
  });
