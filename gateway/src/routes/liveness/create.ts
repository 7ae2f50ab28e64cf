/** POST /liveness: makes a session. */
import openapi from '@presenza/contract/openapi.json';
import type { RequestHandler, Router } from 'express';
import { admit, shareOut, untilDone } from '../../middleware/admit';
import { authorize } from '../../middleware/authorize';
import { readBody } from '../../middleware/body';
import { deadline } from '../../middleware/deadline';
import { methodNotAllowed } from '../../middleware/errors';
import { idempotencyOf } from '../../middleware/idempotency';
import { inTurn } from '../../middleware/in-turn';
import { operation } from '../../middleware/observe';
import { rateOf, refuseEarly } from '../../middleware/rate';
import { timed } from '../../middleware/server-timing';
import { validateBody } from '../../middleware/validate';
import type { Deadline } from '../../services/inference/inference-client';
import type { Principal } from '../../services/keys/keys';
import { parseSessionRequest } from '../../services/liveness/session/session-request';
import { quotaExceeded } from '../../services/metering/quota';
import { type AnalysisRouteServices, leaseMarginMs } from '../analysis-route';
import type { SessionCallServices } from './session-call';

export type CreateServices = AnalysisRouteServices & SessionCallServices;

const maxBytes = openapi.paths['/liveness'].post['x-max-body-bytes'];
const product = 'livenessVerification';
const group = 'livenessDetection';

export function createRoute(api: Router, services: CreateServices): void {
  const { authenticated, admission, metering, deadlineMs } = services;
  api
    .route('/liveness')
    .all(operation('createLivenessSession'))
    .post(
      inTurn(
        admit(admission, maxBytes),
        authenticated,
        authorize(product),
        refuseEarly(metering),
        shareOut(maxBytes),
        timed('read', readBody({ maxBytes, forms: 'json', optional: true })),
        deadline(deadlineMs),
        validateBody('liveness-request.json'),
        untilDone(handler(services)),
      ),
    )
    .all(methodNotAllowed('POST'));
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
    const admittance = { operations: 1, items, leaseMs: deadlineMs + leaseMarginMs, idempotency };
    const ticket = await stages.time('meter', metering.admit(principal, admittance, rateOf(res)));
    if (ticket.stateOf(0) === 'beyond') throw quotaExceeded(principal.terms, group, now());
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
