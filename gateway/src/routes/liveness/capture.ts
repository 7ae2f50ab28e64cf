/** The capture of an attempt: it begins, its frames come, and it is judged. */
import catalogue from '@presenza/contract/errors.json';
import openapi from '@presenza/contract/openapi.json';
import type { Request, Router } from 'express';
import { AppError } from '../../errors';
import type { Deadline } from '../../services/inference/inference-client';
import type { CameraReport } from '../../services/liveness/capture/evidence';
import { optionalJson, type SessionCall, type SessionCallServices, sessionCall } from './session-call';

interface AttemptBody {
  readonly consentNotice?: string;
  readonly device: { readonly id: string; readonly camera?: CameraReport };
}

const { paths } = openapi;
const beginPath = paths['/liveness/{sessionId}/attempts'];
const framesPath = paths['/liveness/{sessionId}/attempts/{attemptId}/frames'];
const completePath = paths['/liveness/{sessionId}/attempts/{attemptId}/complete'];

export function captureRoutes(api: Router, services: SessionCallServices): void {
  sessionCall(api, beginCall(services), services);
  sessionCall(api, frameCall(services), services);
  sessionCall(api, completeCall(services), services);
}

const beginCall = (services: SessionCallServices): SessionCall => ({
  path: '/liveness/:sessionId/attempts',
  name: 'beginLivenessAttempt',
  body: optionalJson(beginPath.post['x-max-body-bytes'], 'liveness-attempt-request.json'),
  run: async (address, { body, ip = '' }) => {
    const { sessions, lockout, capture } = services.liveness;
    const { consentNotice: notice, device } = body as AttemptBody;
    const { id, camera = {} } = device;
    const origin = lockout.originOf(address.accountId, id, ip);
    await lockout.check({ accountId: address.accountId, ...origin });
    return capture.begin(await sessions.find(address), { origin, camera, notice });
  },
});

const frameCall = (services: SessionCallServices): SessionCall => ({
  path: '/liveness/:sessionId/attempts/:attemptId/frames',
  name: 'sendLivenessFrame',
  body: { maxBytes: framesPath.post['x-max-body-bytes'], forms: 'image' },
  run: async (address, req, { locals }) => {
    const { sessions, capture } = services.liveness;
    const { image } = req.body as { image: Buffer };
    const frame = { attemptId: attemptIn(req), nonce: nonceIn(req), image };
    const { requestId, stages } = locals;
    const call = { requestId, stages, deadline: locals.deadline as Deadline };
    return capture.take(await sessions.find(address), frame, call);
  },
});

const completeCall = (services: SessionCallServices): SessionCall => ({
  path: '/liveness/:sessionId/attempts/:attemptId/complete',
  name: 'completeLivenessAttempt',
  body: optionalJson(completePath.post['x-max-body-bytes'], 'empty-request.json'),
  run: async (address, req, { locals: { requestId, stages } }) => {
    const { sessions, checks } = services.liveness;
    return checks.complete(await sessions.find(address), attemptIn(req), { requestId, stages });
  },
});

const attemptIn = ({ params }: Request): string => String(params.attemptId);

/** @throws AppError INVALID_PARAMETERS without any; one that is not ours is refused, and counted, later. */
function nonceIn(req: Request): string {
  const nonce = req.get('x-frame-nonce');
  if (nonce) return nonce;
  const expected = catalogue.INVALID_PARAMETERS.expectations.pattern;
  throw new AppError('INVALID_PARAMETERS', {
    reason: 'header',
    values: { field: 'X-Frame-Nonce', expected },
  });
}
