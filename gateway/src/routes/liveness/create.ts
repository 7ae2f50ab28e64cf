/** POST /liveness: makes a session. */
import openapi from '@presenza/contract/openapi.json';
import type { RequestHandler, Router } from 'express';
import { idempotencyOf } from '../../middleware/idempotency';
import { rateOf } from '../../middleware/rate';
import type { Deadline } from '../../services/inference/inference-client';
import type { Principal } from '../../services/keys/keys';
import { parseSessionRequest } from '../../services/liveness/session/session-request';
import { quotaExceeded } from '../../services/metering/quota';
import type { AnalysisRouteServices } from '../analysis-route';
import type { Policy } from '../guards';
import { reserve } from '../reserve';
import { mount } from '../route';

export type CreateServices = AnalysisRouteServices;

const product = 'livenessVerification';
const group = 'livenessDetection';

const policy: Policy = {
  operation: 'createLivenessSession',
  caller: 'key',
  product,
  body: {
    maxBytes: openapi.paths['/liveness'].post['x-max-body-bytes'],
    forms: 'json',
    optional: true,
    schema: 'liveness-request.json',
  },
};

export function createRoute(api: Router, services: CreateServices): void {
  mount(api, '/liveness', [{ method: 'post', policy, handle: handler(services) }], services);
}

function handler({ liveness, metering, deadlineMs, now }: CreateServices): RequestHandler {
  return async (req, res) => {
    const { requestId, stages } = res.locals;
    const principal = res.locals.principal as Principal;
    const wanted = parseSessionRequest(req.body);
    const idempotency = idempotencyOf(req, 'liveness');
    req.body = undefined;
    const answer = (data: object) => res.json({ success: true, data, requestId });
    const repeated = idempotency && (await liveness.creation.findRepeated(principal, idempotency));
    if (repeated && 'created' in repeated) {
      await stages.time('meter', metering.count(principal, 1, rateOf(res)));
      return answer(repeated.created);
    }

    const items = [{ index: 0, product, group }] as const;
    const ticket = await reserve(res, { operations: 1, items, deadlineMs, idempotency }, metering);
    if (ticket.stateOf(0) === 'overQuota') throw quotaExceeded(principal.terms, group, now());
    try {
      const { operation } = ticket;
      const call = { requestId, stages, deadline: res.locals.deadline as Deadline };
      const creation = { ...call, operation, idempotency, erased: repeated?.erased };
      answer(await liveness.creation.create(principal, wanted, creation));
    } finally {
      // The session has taken its unit over; where there is none, the unit is given back.
      await ticket.end();
    }
  };
}
