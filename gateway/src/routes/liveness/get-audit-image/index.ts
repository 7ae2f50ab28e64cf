import { auditedDisclosure } from '../../../services/audit/audited';
import type { Principal } from '../../../services/keys/keys';
import { auditImageView } from '../../../services/liveness/audit/audit-image-view';
import { noAuditImage } from '../../../services/liveness/audit/audit-images';
import { isSessionId } from '../../../services/liveness/session/sessions';
import type { ManagementServices } from '../../management';
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
    const { accountId, keyId, mode, auditImages } = principal;
    const sessionId = String(req.params.sessionId);
    if (!auditImages || !isSessionId(sessionId)) throw noAuditImage();
    const subject = { accountId, operation: 'sessions audit-image', ids: { session: sessionId } };
    const image = await auditedDisclosure(management.audit, { actor: `key:${keyId}`, ...subject }, () =>
      liveness.auditImages.read({ accountId, sessionId }, mode),
    );
    const data = auditImageView(sessionId, image);
    res.json({ success: true, data, requestId: res.locals.requestId });
  },
});
