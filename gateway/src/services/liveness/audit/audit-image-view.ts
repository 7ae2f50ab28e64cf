import { isoTime } from '../../timing/iso-time';
import type { AuditImage } from './audit-images';

/** `liveness-audit-image.json` */
export const auditImageView = (sessionId: string, { image, takenAt, expiresAt }: AuditImage) => ({
  sessionId,
  image: `data:image/jpeg;base64,${image.toString('base64')}`,
  takenAt: isoTime(takenAt),
  expiresAt: isoTime(expiresAt),
});
