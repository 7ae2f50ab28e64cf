/** Parses requests to create a session. */
import limits from '@presenza/contract/limits.json';
import { ApiError } from '../../../errors';
import { wrongValue } from '../../../errors/expectation';
import { decodeImage, type ImageValue } from '../../images/images';
import { mayReturnTo } from '../../keys/hosted-page';
import type { Principal } from '../../keys/keys';
import type { SessionDetails } from './session';
import { type PolicyRequest, policyOf } from './session-policy';

interface LivenessBody extends Omit<SessionDetails, 'policy'> {
  readonly policy?: PolicyRequest;
  readonly imageToCompare?: ImageValue;
  readonly auditImage?: boolean;
}

export interface SessionRequest {
  readonly details: SessionDetails;
  /** The reference image: at most 5 MB with the magic number of an image format. */
  readonly reference?: Buffer;
  /** False keeps no audit image, whatever the account's setting is. */
  readonly auditImage?: boolean | undefined;
}

/** Field of the reference image. */
export const referenceField = 'imageToCompare';

/**
 * @param body valid by `liveness-request.json`.
 * @throws ApiError INVALID_IMAGE, IMAGE_TOO_LARGE or INVALID_PARAMETERS
 */
export function parseSessionRequest(
  body: unknown,
  { mode, livenessPolicy, returnSchemes }: Pick<Principal, 'mode' | 'livenessPolicy' | 'returnSchemes'>,
): SessionRequest {
  const { imageToCompare, auditImage, policy, ...others } = body as LivenessBody;
  const { returnUrl } = others;
  if (returnUrl !== undefined && !mayReturnTo(returnUrl, returnSchemes)) {
    throw new ApiError('INVALID_PARAMETERS', wrongValue('returnUrl', 'returnUrl'));
  }
  const details = { ...others, policy: policyOf(policy, livenessPolicy) };
  const { maxBytes } = limits.metadata;
  if (details.metadata && Buffer.byteLength(JSON.stringify(details.metadata)) > maxBytes) {
    throw new ApiError('INVALID_PARAMETERS', {
      reason: 'size',
      values: { field: 'metadata', limit: maxBytes },
    });
  }
  if (details.testOutcome !== undefined && mode === 'live') {
    throw new ApiError('INVALID_PARAMETERS', { reason: 'testOnly', values: { field: 'testOutcome' } });
  }
  if (imageToCompare === undefined) return { details, auditImage };
  return { details, auditImage, reference: decodeImage(imageToCompare, referenceField) };
}
