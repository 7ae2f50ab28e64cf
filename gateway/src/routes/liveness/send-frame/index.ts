import limits from '@presenza/contract/limits.json';
import type { Request } from 'express';
import { ApiError } from '../../../errors';
import { wrongHeader } from '../../../errors/expectation';
import type { Deadline } from '../../../services/inference/inference-client';
import { clientFaultsOf } from '../../../services/liveness/capture/client-faults';
import { parseSignature } from '../../../services/liveness/capture/signing';
import { withKnownGuidance } from '../../../services/liveness/earlier-api-versions';
import { type GuardServices, maxBytesOf } from '../../guards';
import { sessionOperation } from '../../session-operation';

const maxBytes = maxBytesOf('/liveness/{sessionId}/attempts/{attemptId}/frames');

/** POST /liveness/{sessionId}/attempts/{attemptId}/frames: accepts a frame and responds with guidance. */
export const sendFrame = (services: Pick<GuardServices, 'liveness'>) =>
  sessionOperation('sendLivenessFrame', { maxBytes, forms: 'image' }, async (address, req, { locals }) => {
    const { sessions, capture } = services.liveness;
    const { image } = req.body as { image: Buffer };
    const { requestId, stages, isFromAllowedPage = false } = locals;
    const frame = {
      attemptId: String(req.params.attemptId),
      nonce: nonceIn(req),
      image,
      shownMs: shownMsIn(req),
      signature: parseSignature(req.get('x-frame-signature') ?? ''),
      clientFaults: clientFaultsOf({ headers: req.headers, isFromAllowedPage }),
    };
    const call = { requestId, stages, deadline: locals.deadline as Deadline };
    const taken = await capture.take(await sessions.find(address), frame, call);
    return withKnownGuidance(taken, locals.apiVersion as string);
  });

/** @throws ApiError INVALID_PARAMETERS without a nonce. The capture refuses, and counts, invalid ones. */
function nonceIn(req: Request): string {
  const nonce = req.get('x-frame-nonce');
  if (nonce) return nonce;
  throw new ApiError('INVALID_PARAMETERS', wrongHeader('X-Frame-Nonce', 'nonce'));
}

const { maxShownMs } = limits.liveness.light;

/** @throws ApiError INVALID_PARAMETERS unless it is absent or a whole number in range */
function shownMsIn(req: Request): number | undefined {
  const text = req.get('x-frame-light');
  if (text === undefined) return undefined;
  const shownMs = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (shownMs <= maxShownMs) return shownMs;
  const range = { minimum: 0, maximum: maxShownMs };
  throw new ApiError('INVALID_PARAMETERS', wrongHeader('X-Frame-Light', 'range', range));
}
