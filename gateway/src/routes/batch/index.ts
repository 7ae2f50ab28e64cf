import openapi from '@presenza/contract/openapi.json';
import type { RequestHandler, Response, Router } from 'express';
import type { Logger } from 'pino';
import { LineWriter } from '../../async/line-writer';
import { AppError } from '../../errors';
import { admit, shareOut, untilDone } from '../../middleware/admit';
import { readBody } from '../../middleware/body';
import { deadline } from '../../middleware/deadline';
import { logFailure, methodNotAllowed } from '../../middleware/errors';
import { idempotencyOf } from '../../middleware/idempotency';
import { operation } from '../../middleware/observe';
import { rateOf, refuseEarly } from '../../middleware/rate';
import { timed } from '../../middleware/server-timing';
import { checkBody, validateBody } from '../../middleware/validate';
import type { Analyses } from '../../services/analyses';
import type { Analysis, AnalysisCall } from '../../services/analyses/analysis';
import { Batch, type BatchEntry, type BatchResult } from '../../services/analyses/batch';
import type { Deadline } from '../../services/inference/inference-client';
import type { Principal } from '../../services/keys/keys';
import { permission } from '../../services/keys/permissions';
import type { Ticket } from '../../services/metering/ticket';
import { type AnalysisRouteServices, leaseMarginMs } from '../analysis-route';

export interface BatchRouteServices extends AnalysisRouteServices {
  readonly analyses: Analyses;
  readonly logger: Logger;
}

const maxBodyBytes = openapi.paths['/batch'].post['x-max-body-bytes'];

/** How much longer than a single operation a batch may take. */
export const batchDeadlines = 4;

const ndjson = 'application/x-ndjson';

/** POST /batch: up to 64 operations, each checked, counted and answered on its own. */
export function batchRoute(api: Router, services: BatchRouteServices): void {
  const { authenticated, admission, metering } = services;
  api
    .route('/batch')
    .all(operation('batch'))
    .post(
      admit(admission, maxBodyBytes),
      authenticated,
      refuseEarly(metering),
      shareOut(maxBodyBytes),
      timed('read', readBody({ maxBytes: maxBodyBytes, forms: 'json' })),
      deadline(services.deadlineMs * batchDeadlines),
      validateBody('batch-request.json'),
      untilDone(handler(services)),
    )
    .all(methodNotAllowed('POST'));
}

function handler({
  metering,
  analyses,
  adaptiveLimit,
  logger,
  deadlineMs,
  now,
}: BatchRouteServices): RequestHandler {
  return async (req, res) => {
    const { requestId, stages } = res.locals;
    const principal = res.locals.principal as Principal;
    const entries: BatchEntry[] = req.body.operations;
    refuseDuplicates(entries);
    const onFailure = logFailure(logger, res.locals);
    const check = ({ product, schema }: Analysis, body: unknown) => {
      const denial = permission(principal, { product });
      if (denial) throw denial;
      checkBody(schema, body);
    };
    const batch = new Batch(entries, { analyses, adaptiveLimit, check, onFailure, now, deadlineMs });
    const admittance = {
      operations: entries.length,
      items: batch.items,
      leaseMs: deadlineMs * batchDeadlines + leaseMarginMs,
      idempotency: idempotencyOf(req, 'batch'),
    };
    const ticket = await stages.time('meter', metering.admit(principal, admittance, rateOf(res)));
    req.body = undefined;
    const call: AnalysisCall = {
      principal,
      requestId,
      stages,
      deadline: res.locals.deadline as Deadline,
    };
    const answer = req.accepts(['application/json', ndjson]) === ndjson ? stream : collect;
    try {
      await answer(batch, ticket, call, res);
    } finally {
      await ticket.end();
    }
  };
}

/** One answer when all is done; nothing is counted before. */
async function collect(batch: Batch, ticket: Ticket, call: AnalysisCall, res: Response): Promise<void> {
  const results: BatchResult[] = [];
  await batch.run(ticket, call, async (result) => {
    results[result.index] = result;
  });
  const succeeded = results.filter(({ success }) => success).map(({ index }) => index);
  await call.stages.time('meter', ticket.end(succeeded));
  res.json({
    success: true,
    data: { results, succeeded: succeeded.length, failed: results.length - succeeded.length },
    requestId: call.requestId,
  });
}

/** A line for each result as it comes, counted before it is sent, and one at the end that sums up. */
async function stream(batch: Batch, ticket: Ticket, call: AnalysisCall, res: Response): Promise<void> {
  res.status(200).set('Content-Type', ndjson);
  const lines = new LineWriter(res);
  const write = (line: object) => lines.write(`${JSON.stringify(line)}\n`);
  let succeeded = 0;
  let failed = 0;
  await batch.run(ticket, call, async (result) => {
    if (result.success) {
      await call.stages.time('meter', ticket.commit([result.index]));
      succeeded++;
    } else failed++;
    await write(result);
  });
  await ticket.end();
  await write({ success: true, data: { succeeded, failed }, requestId: call.requestId });
  res.end();
}

function refuseDuplicates(entries: readonly BatchEntry[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) {
      const values = { field: `operations.${index}.id` };
      throw new AppError('INVALID_PARAMETERS', { reason: 'duplicate', values });
    }
    seen.add(id);
  }
}
