import { rateOf } from '../../../middleware/rate';
import type { Deadline } from '../../../services/inference/inference-client';
import type { Principal } from '../../../services/keys/keys';
import type { CreationResult } from '../../../services/liveness/session/creation';
import { parseSessionRequest } from '../../../services/liveness/session/session-request';
import { requireUnit } from '../../../services/metering/quota';
import { type GuardServices, maxBytesOf } from '../../guards';
import { idempotencyOf, markRepeat } from '../../idempotency';
import { reserve } from '../../reserve';
import type { Operation } from '../../route';

export interface CreateServices extends GuardServices {
  readonly now: () => number;
}

const product = 'livenessVerification';
const group = 'livenessDetection';
const items = [{ index: 0, product, group }] as const;

/** POST /liveness: creates a session and reserves its unit. */
export const createSession = ({ liveness, metering, deadlineMs, now }: CreateServices): Operation => ({
  method: 'post',
  policy: {
    operation: 'createLivenessSession',
    caller: 'key',
    product,
    body: {
      maxBytes: maxBytesOf('/liveness'),
      forms: 'json',
      optional: true,
      schema: 'liveness-request.json',
    },
  },
  handle: async (req, res) => {
    const { requestId, stages } = res.locals;
    const principal = res.locals.principal as Principal;
    const request = parseSessionRequest(req.body, principal);
    const idempotency = idempotencyOf(req, principal, 'liveness');
    // The body may hold megabytes.
    req.body = undefined;
    const respond = ({ data, isRepeat }: CreationResult) => {
      if (isRepeat) markRepeat(res);
      res.json({ success: true, data, requestId });
    };
    const repeated = idempotency && (await liveness.creation.findRepeated(principal, idempotency));
    if (repeated) {
      await stages.time('meter', metering.count(principal, 1, rateOf(res)));
      return respond(repeated);
    }

    const ticket = await reserve(res, { operations: 1, items, deadlineMs, idempotency }, metering);
    const state = ticket.stateOf(0);
    const heldMs = state === 'quotaHeld' ? await liveness.creation.nextReturnMs(principal) : undefined;
    requireUnit(state, { terms: principal.terms, group, now: now(), heldMs });
    try {
      const { admissionId } = ticket;
      const call = { requestId, stages, deadline: res.locals.deadline as Deadline };
      respond(await liveness.creation.create(principal, request, { ...call, admissionId, idempotency }));
    } finally {
      // The unit belongs to the session by now; after an error, it is refunded.
      await ticket.end();
    }
  },
});
