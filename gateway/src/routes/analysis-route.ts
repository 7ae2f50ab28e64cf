/** What the routes of analyses share: from the key to the counted answer. */
import openapi from '@presenza/contract/openapi.json';
import type { RequestHandler, Router } from 'express';
import { admit, refuseBeyond, shareOut, untilDone } from '../middleware/admit';
import { authorize } from '../middleware/authorize';
import { readBody } from '../middleware/body';
import type { Accepted } from '../middleware/body/media-type';
import { deadline } from '../middleware/deadline';
import { methodNotAllowed } from '../middleware/errors';
import { idempotencyOf } from '../middleware/idempotency';
import { inTurn } from '../middleware/in-turn';
import { operation } from '../middleware/observe';
import { rateOf, refuseEarly } from '../middleware/rate';
import { timed } from '../middleware/server-timing';
import { validateBody } from '../middleware/validate';
import type { Analysis } from '../services/analyses/analysis';
import type { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { Deadline } from '../services/inference/inference-client';
import type { Principal } from '../services/keys/keys';
import type { Admission } from '../services/limits/admission';
import type { Metering } from '../services/metering/metering';
import { quotaExceeded } from '../services/metering/quota';

export interface AnalysisRouteServices {
  readonly authenticated: RequestHandler;
  readonly admission: Admission;
  readonly adaptiveLimit: AdaptiveLimit;
  readonly metering: Metering;
  readonly deadlineMs: number;
  readonly now: () => number;
}

export interface AnalysisRoute {
  readonly analysis: Analysis;
  /** In which its body may come. */
  readonly forms: Accepted;
}

/** An operation that outlives its deadline by this much has lost its process. */
export const leaseMarginMs = 15_000;

/** POST of one analysis. */
export function analysisRoute(
  api: Router,
  { analysis, forms }: AnalysisRoute,
  services: AnalysisRouteServices,
): void {
  const { authenticated, admission, adaptiveLimit, metering, deadlineMs, now } = services;
  const path = `/${analysis.name}` as const;
  const maxBodyBytes = openapi.paths[path].post['x-max-body-bytes'];
  api
    .route(path)
    .all(operation(analysis.name))
    .post(
      inTurn(
        admit(admission, maxBodyBytes),
        authenticated,
        authorize(analysis.product),
        refuseEarly(metering),
        shareOut(maxBodyBytes),
        refuseBeyond(adaptiveLimit),
        timed('read', readBody({ maxBytes: maxBodyBytes, forms })),
        deadline(deadlineMs),
        validateBody(analysis.schema),
        untilDone(async (req, res) => {
          const { requestId, stages } = res.locals;
          const principal = res.locals.principal as Principal;
          const call = { principal, requestId, stages, deadline: res.locals.deadline as Deadline };
          const run = analysis.prepare(req.body);
          const admittance = {
            operations: 1,
            items: [{ index: 0, product: analysis.product, group: analysis.group }],
            leaseMs: deadlineMs + leaseMarginMs,
            idempotency: idempotencyOf(req, analysis.name),
          };
          const ticket = await stages.time('meter', metering.admit(principal, admittance, rateOf(res)));
          req.body = undefined;
          if (ticket.stateOf(0) === 'beyond') throw quotaExceeded(principal.terms, analysis.group, now());
          const data = await adaptiveLimit
            .run(principal.accountId, () => run(call))
            .catch(async (error) => {
              await ticket.end();
              throw error;
            });
          await stages.time('meter', ticket.end([0]));
          res.json({ success: true, data, requestId });
        }),
      ),
    )
    .all(methodNotAllowed('POST'));
}
