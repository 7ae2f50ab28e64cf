import type { LivenessAttemptRequest } from '@presenza/contract/client/types.d.ts';
import { clientFaultsOf } from '../../../services/liveness/capture/client-faults';
import type { GuardServices } from '../../guards';
import { jsonBody, sessionOperation } from '../../session-operation';

const body = jsonBody('/liveness/{sessionId}/attempts', 'liveness-attempt-request.json');

/** POST /liveness/{sessionId}/attempts: begins an attempt. */
export const beginAttempt = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('beginLivenessAttempt', body, async (address, { body, headers, ip = '' }, { locals }) => {
    const { sessions, lockout, capture } = services.liveness;
    const { isFromAllowedPage = false } = locals;
    const { consentNotice: notice, device, publicKey } = body as LivenessAttemptRequest;
    const { id, camera = {} } = device;
    const session = await sessions.find(address);
    const reference = session.hasReference ? await sessions.readReference(session) : undefined;
    const origin = lockout.originOf(session, { deviceId: id, address: ip, publicKey, reference });
    await lockout.checkStart({ accountId: address.accountId, ...origin });
    const clientFaults = clientFaultsOf({ headers, isFromAllowedPage });
    return capture.begin(session, { origin, camera, notice, publicKey, clientFaults });
  });
