import type { Principal } from '../../../services/keys/keys';
import { auditImageView } from '../../../services/liveness/audit/audit-image-view';
import { noAuditImage } from '../../../services/liveness/audit/audit-images';
import { isSessionId } from '../../../services/liveness/session/sessions';
import { changeByKey, type ManagementServices } from '../../management';
import type { Operation } from '../../route';

/** GET /liveness/{sessionId}/audit-image: shows the image of a session, and records the access in the audit log. */
export const getAuditImage = ({ liveness, management }: ManagementServices): Operation => ({
  method: 'get',
  policy: {
    operation: 'getLivenessAuditImage',
    caller: 'key',
    product: 'livenessVerification',
    counted: true,
  },
  handle: async (req, res) => {
    const principal = res.locals.principal as Principal;
    const { accountId, mode, auditImages } = principal;
    const sessionId = String(req.params.sessionId);
    if (!auditImages || !isSessionId(sessionId)) throw noAuditImage();
    const access = { operation: 'sessions audit-image', ids: { session: sessionId } };
    const image = await changeByKey(management, principal, access, () =>
      liveness.auditImages.read({ accountId, sessionId }, mode),
    );
    const data = auditImageView(sessionId, image);
    res.json({ success: true, data, requestId: res.locals.requestId });
  },
});
