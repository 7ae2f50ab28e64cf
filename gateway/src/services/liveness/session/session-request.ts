/** Parses requests to create a session. */
import limits from '@presenza/contract/limits.json';
import { AppError } from '../../../errors';
import { decodeImage, type ImageValue } from '../../images/images';
import type { Principal } from '../../keys/keys';
import { type PolicyRequest, policyOf } from './policy';
import type { SessionDetails } from './session';

interface LivenessBody extends Omit<SessionDetails, 'policy'> {
  readonly policy?: PolicyRequest;
  readonly imageToCompare?: ImageValue;
}

export interface SessionRequest {
  readonly details: SessionDetails;
  /** The reference image: at most 5 MB with the magic number of an image format. */
  readonly reference?: Buffer;
}

/** Field of the reference image. */
export const referenceField = 'imageToCompare';

/**
 * @param body valid by `liveness-request.json`.
 * @throws AppError INVALID_IMAGE, IMAGE_TOO_LARGE or INVALID_PARAMETERS
 */
export function parseSessionRequest(
  body: unknown,
  { mode, livenessPolicy }: Pick<Principal, 'mode' | 'livenessPolicy'>,
): SessionRequest {
  const { imageToCompare, policy, ...others } = body as LivenessBody;
  const details = { ...others, policy: policyOf(policy, livenessPolicy) };
  const { maxBytes } = limits.metadata;
  if (details.metadata && Buffer.byteLength(JSON.stringify(details.metadata)) > maxBytes) {
    throw new AppError('INVALID_PARAMETERS', {
      reason: 'size',
      values: { field: 'metadata', limit: maxBytes },
    });
  }
  if (details.testOutcome !== undefined && mode === 'live') {
    throw new AppError('INVALID_PARAMETERS', { reason: 'testOnly', values: { field: 'testOutcome' } });
  }
  if (imageToCompare === undefined) return { details };
  return { details, reference: decodeImage(imageToCompare, referenceField) };
}
