/** Turns an operation into a route: body and headers in, the worker's result out. */
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { ItemResult, OperationInput, OperationName } from '../pipeline/operations';
import type { FaultReply } from '../wire';
import { maxBodyBytes, type PartCount, readParts, readSubmission } from './request';
import { type OperationServices, submit, timingsOf } from './work';

export interface OperationRoute<Name extends OperationName> {
  readonly operation: Name;
  /** How many images the body holds. Default: exactly one. */
  readonly parts?: PartCount;
  /** Largest body. Default: the maximum number of images, each of the largest size. */
  readonly maxBytes?: number;
  /** The item for the worker. The images share one buffer: put all of them into it. */
  readonly input: (images: readonly Uint8Array[], req: Request) => OperationInput<Name>;
  /** Images or faces of the item. Default: the number of images. */
  readonly weight?: (input: OperationInput<Name>, images: readonly Uint8Array[]) => number;
}

const onePart: PartCount = { min: 1, max: 1 };

/**
 * Receives the body of every operation. Counts it before reading it, and rejects a compressed body, because it would take
 * more memory than counted.
 */
export function receiveBody(
  operation: string,
  { bytesInFlight, metrics }: Pick<OperationServices, 'bytesInFlight' | 'metrics'>,
  limit: number,
): RequestHandler[] {
  // Prometheus sees an increase only in a series that it has scraped before, and errors are rare.
  metrics.requests.inc({ operation, outcome: 'error' }, 0);
  return [
    (_req, res, next) => {
      res.locals.operation = operation;
      next();
    },
    bytesInFlight.admit(limit),
    express.raw({ type: () => true, limit, inflate: false }),
  ];
}

/** Handlers for `app.post(path, ...)`. */
export function operationRoute<Name extends OperationName>(
  services: OperationServices,
  route: OperationRoute<Name>,
): RequestHandler[] {
  const parts = route.parts ?? onePart;
  const limit = route.maxBytes ?? maxBodyBytes(parts);
  return [
    ...receiveBody(route.operation, services, limit),
    (req, res) => respond(services, route, parts, { req, res }),
  ];
}

async function respond<Name extends OperationName>(
  services: OperationServices,
  route: OperationRoute<Name>,
  parts: PartCount,
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  const begin = performance.now();
  const submission = readSubmission(req, res);
  const images = readParts(req, parts);
  const input = route.input(images, req);
  // Nothing else may hold the bytes, because they are transferred to the worker.
  req.body = undefined;
  const weight = route.weight?.(input, images) ?? images.length;
  const { operation } = route;
  const task = { operation, input, submission: { ...submission, weight } };
  const result: ItemResult<object> = await submit(services, res, task);
  const timings = timingsOf(res, begin);
  const { metrics } = services;
  metrics.stageSeconds.observe({ operation, stage: 'total' }, timings.totalMs / 1e3);
  metrics.requests.inc({ operation, outcome: result.ok ? 'ok' : 'refused' });
  if (result.ok) {
    res.json({ ...result.value, timings });
    return;
  }
  const { ok: _, ...error } = result;
  res.status(422).json({ error } satisfies FaultReply);
}
