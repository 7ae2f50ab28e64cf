import type { Request, RequestHandler, Response, Router } from 'express';
import type { Logger } from 'pino';
import { LineWriter } from '../../async/line-writer';
import { bounds } from '../../bounds';
import { ApiError, type ErrorLinks, type RequestError } from '../../errors';
import { logFailure } from '../../middleware/errors';
import { checkBody } from '../../middleware/validate';
import type { Analysis, AnalysisCall } from '../../services/analyses/analysis';
import { Batch, type BatchEntry, type BatchResult } from '../../services/analyses/batch';
import type { Deadline } from '../../services/inference/inference-client';
import type { Principal } from '../../services/keys/keys';
import { permission } from '../../services/keys/permissions';
import type { Ticket } from '../../services/metering/ticket';
import type { AnalysisRouteServices } from '../analysis-route';
import { maxBytesOf, type Policy } from '../guards';
import { idempotencyOf, markRepeat } from '../idempotency';
import { reserve } from '../reserve';
import { mount } from '../route';

export interface BatchRouteServices extends AnalysisRouteServices {
  readonly logger: Logger;
  readonly errorLinks?: ErrorLinks;
}

const { batchDeadlines } = bounds;

const policy: Policy = {
  operation: 'batch',
  caller: 'key',
  deadlines: batchDeadlines,
  body: { maxBytes: maxBytesOf('/batch'), forms: 'json', schema: 'batch-request.json' },
};

const ndjson = 'application/x-ndjson';

/** Media types of responses. A client may name the charset, and media types with parameters match only themselves. */
const formats = ['application/json', ndjson].flatMap((type) => [type, `${type}; charset=utf-8`]);

/** Whether the client prefers lines to JSON (RFC 9110, 12.5.1). If it accepts neither, it gets JSON. */
const wantsLines = (req: Request): boolean => String(req.accepts(formats)).startsWith(ndjson);

/** POST /batch: up to 64 operations, each checked, billed and reported on its own. */
export function batchRoute(api: Router, services: BatchRouteServices): void {
  mount(api, '/batch', [{ method: 'post', policy, handle: handler(services) }], services);
}

function handler(services: BatchRouteServices): RequestHandler {
  const { metering, analyses, adaptiveLimit, logger, deadlineMs, now, errorLinks } = services;
  return async (req, res) => {
    const { requestId, stages } = res.locals;
    const principal = res.locals.principal as Principal;
    const entries: BatchEntry[] = req.body.operations;
    rejectDuplicates(entries);
    const log = logFailure(logger, res.locals);
    /** Operations that refused images were worth, without those that are counted already. */
    let owed = 0;
    const onFailure = (error: RequestError) => {
      log(error);
      owed += error.work - 1;
    };
    const check = ({ product, schema }: Analysis, body: unknown) => {
      const denial = permission(principal, { product });
      if (denial) throw denial;
      checkBody(schema, body);
    };
    const parts = { analyses, adaptiveLimit, check, onFailure, now, deadlineMs, errorLinks };
    const batch = new Batch(entries, parts);
    const requested = {
      operations: entries.length,
      items: batch.items,
      deadlineMs: deadlineMs * batchDeadlines,
      idempotency: idempotencyOf(req, principal, 'batch'),
    };
    const ticket = await reserve(res, requested, metering);
    req.body = undefined;
    const apiVersion = res.locals.apiVersion as string;
    const deadline = res.locals.deadline as Deadline;
    const call: AnalysisCall = { principal, requestId, apiVersion, stages, deadline };
    if (ticket.isRepeat) markRepeat(res);
    res.vary('Accept');
    const send = wantsLines(req) ? stream : collect;
    try {
      await send(batch, ticket, call, res);
    } finally {
      await ticket.end();
      // The headers are sent, so the next response has the state of the limit.
      if (owed > 0) await metering.charge(principal, owed, () => {});
    }
  };
}

/** Sends one response when all operations are done, and bills them just before. */
async function collect(batch: Batch, ticket: Ticket, call: AnalysisCall, res: Response): Promise<void> {
  const results: BatchResult[] = [];
  await batch.run(ticket, call, async (result) => {
    results[result.index] = result;
  });
  const succeeded = results.filter(({ success }) => success).map(({ index }) => index);
  await call.stages.time('meter', ticket.end(succeeded));
  res.json({
    success: true,
    data: {
      livemode: call.principal.mode === 'live',
      results,
      succeeded: succeeded.length,
      failed: results.length - succeeded.length,
    },
    requestId: call.requestId,
  });
}

/** Sends a line for each result as soon as it is billed, and a summary at the end. */
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
  const data = { livemode: call.principal.mode === 'live', succeeded, failed };
  await write({ success: true, data, requestId: call.requestId });
  res.end();
}

function rejectDuplicates(entries: readonly BatchEntry[]): void {
  const seen = new Set<string>();
  for (const [index, { id }] of entries.entries()) {
    if (id === undefined) continue;
    if (seen.has(id)) {
      const values = { field: `operations.${index}.id` };
      throw new ApiError('INVALID_PARAMETERS', { reason: 'duplicate', values });
    }
    seen.add(id);
  }
}
