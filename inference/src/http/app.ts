/** HTTP app of the inference tier, for the gateway only: it trusts its caller and has no concept of keys or plans. */
import { parseTraceParent } from '@opentelemetry/core';
import limits from '@presenza/contract/limits.json';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { WorkerLostError } from '../device/worker-lost';
import type { WorkerPool } from '../pool/pool';
import { AbandonedError, DeadlineError, OverloadError } from '../scheduling/errors';
import type { FaultReply, ReadyReply } from '../wire';
import { type CompareServices, compareRoute } from './compare-route';
import { frameParts, maxFramesBytes, parseFrames } from './frames-input';
import { moderateRoute } from './moderate-route';
import { operationRoute } from './operation-route';
import {
  BadRequestError,
  checkWireVersion,
  gatewaysOnly,
  imageTooLarge,
  readAttributes,
  readIsFrame,
} from './request';
import { type FinishedRequest, traceRequests } from './trace-requests';

export interface AppServices extends CompareServices {
  readonly pool: Pick<WorkerPool, 'backend' | 'device' | 'precision' | 'embedding' | 'workers'>;
  /** Names of the tier, besides localhost. Default: none. */
  readonly hostNames?: ReadonlySet<string>;
  readonly logger: Logger;
  /** False once the process drains. */
  readonly accepting: () => boolean;
  /** Called with every finished request; undefined without a trace collector. */
  readonly traced?: ((request: FinishedRequest) => void) | undefined;
}

/** Bytes of all examples of a category. */
const maxExampleBytes = 64 * 1024 * 1024;

export function createApp(services: AppServices): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use((_req, res, next) => {
    // While it drains, the process accepts no further request on any connection.
    if (!services.accepting()) res.set('Connection', 'close');
    next();
  });
  app.use(gatewaysOnly(services.hostNames ?? new Set()));
  app.use(checkWireVersion);
  if (services.traced) app.use(traceRequests(services.traced));
  app.get('/livez', (_req, res) => {
    res.json({ status: 'alive' });
  });
  app.get('/readyz', (_req, res) => {
    const { backend, device, precision, embedding, workers } = services.pool;
    const ready = services.accepting();
    const status = ready ? 'ready' : 'draining';
    const reply: ReadyReply = { status, backend, device, precision, embedding, workers };
    res.status(ready ? 200 : 503).json(reply);
  });
  app.get('/metrics', async (_req, res) => {
    res.type(services.metrics.registry.contentType).send(await services.metrics.registry.metrics());
  });

  app.post(
    '/detect',
    operationRoute(services, {
      operation: 'detect',
      input: ([image], req) => ({
        image: image as Uint8Array,
        attributes: readAttributes(req),
        isFrame: readIsFrame(req),
      }),
    }),
  );
  app.post('/compare', compareRoute(services));
  app.post('/moderate', operationRoute(services, moderateRoute(services.manifestData.background)));
  const { minExamples: min, maxExamples: max } = limits.customCategories;
  const examples = { parts: { min, max }, maxBytes: maxExampleBytes };
  const input = (images: readonly Uint8Array[]) => ({ images });
  app.post('/prototype', operationRoute(services, { operation: 'prototype', ...examples, input }));
  app.post(
    '/frames',
    operationRoute(services, {
      operation: 'frames',
      parts: frameParts,
      maxBytes: maxFramesBytes,
      input: parseFrames,
      weight: ({ frames }) => frames.length,
    }),
  );

  app.use((_req, res) => {
    res.status(404).json({ error: { code: 'NOT_FOUND' } });
  });
  app.use(errorHandler(services));
  return app;
}

/** The response to an error, and its outcome in the metrics. */
interface Fault {
  readonly status: number;
  readonly reply: FaultReply['error'];
  readonly outcome: string;
  readonly retryAfterSeconds?: number;
}

function faultOf(error: Error & { status?: number; type?: string }): Fault {
  if (error instanceof OverloadError) {
    const { retryAfterSeconds } = error;
    const reply = { code: 'SERVICE_UNAVAILABLE', reason: 'overload' } as const;
    return { status: 503, reply, outcome: 'shed', retryAfterSeconds };
  }
  if (error instanceof WorkerLostError) {
    const reply = { code: 'SERVICE_UNAVAILABLE', reason: 'inference' } as const;
    return { status: 503, reply, outcome: 'error', retryAfterSeconds: 1 };
  }
  if (error instanceof DeadlineError) {
    return { status: 504, reply: { code: 'DEADLINE_EXCEEDED' }, outcome: 'expired' };
  }
  if (error instanceof BadRequestError) {
    const { status, code, reason } = error;
    return { status, reply: { code, reason }, outcome: 'invalid' };
  }
  // Errors of the body parser: a body that is too large, compressed, or not of the declared length.
  if (error.type === 'entity.too.large') return faultOf(imageTooLarge());
  if (error.status !== undefined && error.status < 500) {
    return { status: 400, reply: { code: 'INVALID_PARAMETERS', reason: 'header' }, outcome: 'invalid' };
  }
  return { status: 500, reply: { code: 'INTERNAL_ERROR' }, outcome: 'error' };
}

function errorHandler({ metrics, logger }: AppServices) {
  return (error: Error, req: Request, res: Response, _next: NextFunction) => {
    const operation = String(res.locals.operation ?? 'unknown');
    const gone = error instanceof AbandonedError || res.destroyed;
    if (gone || res.headersSent) {
      metrics.requests.inc({ operation, outcome: gone ? 'abandoned' : 'error' });
      res.destroy();
      return;
    }
    const { status, reply, outcome, retryAfterSeconds } = faultOf(error);
    metrics.requests.inc({ operation, outcome });
    const requestId = req.get('x-request-id');
    const traceId = parseTraceParent(req.get('traceparent') ?? '')?.traceId;
    if (outcome === 'error') logger.error({ requestId, traceId, err: error }, 'request failed');
    if (outcome === 'invalid') logger.warn({ requestId, traceId, reason: error.message }, 'request refused');
    if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
    res.status(status).json({ error: reply });
  };
}
