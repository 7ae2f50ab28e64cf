/** The common part of all analyses: reserve a unit, run the analysis, and bill it once it has succeeded. */
import type { RequestHandler, Router } from 'express';
import type { Accepted } from '../middleware/body/media-type';
import type { Analyses } from '../services/analyses';
import type { Analysis } from '../services/analyses/analysis';
import type { Deadline } from '../services/inference/inference-client';
import type { Principal } from '../services/keys/keys';
import { requireUnit } from '../services/metering/quota';
import { type GuardServices, maxBytesOf } from './guards';
import { idempotencyOf, markRepeat } from './idempotency';
import { reserve } from './reserve';
import { mount } from './route';

export interface AnalysisRouteServices extends GuardServices {
  readonly analyses: Analyses;
  readonly now: () => number;
}

/** Mounts the POST of one analysis. @param forms media types that its body may have. */
export function analysisRoute(
  api: Router,
  name: Analysis['name'],
  forms: Accepted,
  services: AnalysisRouteServices,
): void {
  const analysis = services.analyses[name];
  const path = `/${name}` as const;
  const policy = {
    operation: name,
    caller: 'key',
    product: analysis.product,
    needsInference: true,
    body: { maxBytes: maxBytesOf(path), forms, schema: analysis.schema },
  } as const;
  mount(api, path, [{ method: 'post', policy, handle: handler(analysis, services) }], services);
}

function handler(
  { name, product, group, prepare }: Analysis,
  { metering, adaptiveLimit, deadlineMs, now }: AnalysisRouteServices,
): RequestHandler {
  const items = [{ index: 0, product, group }];
  return async (req, res) => {
    const { requestId, stages } = res.locals;
    const principal = res.locals.principal as Principal;
    const apiVersion = res.locals.apiVersion as string;
    const call = { principal, requestId, apiVersion, stages, deadline: res.locals.deadline as Deadline };
    const run = prepare(req.body);
    const idempotency = idempotencyOf(req, principal, name);
    const ticket = await reserve(res, { operations: 1, items, deadlineMs, idempotency }, metering);
    // The body may hold megabytes.
    req.body = undefined;
    // Without a unit, nothing is reserved and no slot is taken, so the ticket needs no end.
    requireUnit(ticket.stateOf(0), { terms: principal.terms, group, now: now() });
    const data = await adaptiveLimit
      .run(principal.accountId, () => run(call))
      .catch(async (error) => {
        await ticket.end();
        throw error;
      });
    await stages.time('meter', ticket.end([0]));
    if (ticket.isRepeat) markRepeat(res);
    res.json({ success: true, data, requestId });
  };
}
