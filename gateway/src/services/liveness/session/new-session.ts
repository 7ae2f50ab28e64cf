/** What a request to create a session asks for, checked as far as it can be without asking anybody. */
import limits from '@presenza/contract/limits.json';
import { AppError } from '../../../errors';
import { decodeImage, type ImageValue } from '../../images/images';
import type { SessionDetails } from './session';

interface LivenessBody extends SessionDetails {
  readonly imageToCompare?: ImageValue;
}

export interface WantedSession {
  readonly details: SessionDetails;
  /** The reference picture: at most 5 MB that begin like an image. */
  readonly reference?: Buffer;
}

/** Field that a reference picture comes in. */
export const referenceField = 'imageToCompare';

/**
 * @param body fits `liveness-request.json`.
 * @throws AppError INVALID_IMAGE, IMAGE_TOO_LARGE or INVALID_PARAMETERS
 */
export function wantedSession(body: unknown): WantedSession {
  const { imageToCompare, ...details } = body as LivenessBody;
  const { maxBytes } = limits.metadata;
  if (details.metadata && Buffer.byteLength(JSON.stringify(details.metadata)) > maxBytes) {
    throw new AppError('INVALID_PARAMETERS', {
      reason: 'size',
      values: { field: 'metadata', limit: maxBytes },
    });
  }
  if (imageToCompare === undefined) return { details };
  return { details, reference: decodeImage(imageToCompare, referenceField) };
}
