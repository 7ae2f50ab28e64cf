/** HTTP face of the inference tier, for the gateway only: it trusts its caller and knows no keys or plans. */
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { AbandonedError, DeadlineError, OverloadError } from '../batching/errors';
import type { WorkerPool } from '../pool/pool';
import { type CompareServices, compareRoute } from './compare-route';
import { frameParts, maxFramesBytes, readFrames } from './frames-input';
import { operationRoute } from './operation-route';
import type { FaultReply, ReadyReply } from './protocol';
import { BadRequestError, imageTooLarge } from './request';

export interface AppServices extends CompareServices {
  readonly pool: Pick<WorkerPool, 'backend' | 'device' | 'workers'>;
  readonly logger: Logger;
  /** False once the process drains. */
  readonly accepting: () => boolean;
}

export function createApp(services: AppServices): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.use((_req, res, next) => {
    // A draining process wants no further request on any connection.
    if (!services.accepting()) res.set('Connection', 'close');
    next();
  });
  app.get('/livez', (_req, res) => {
    res.json({ status: 'alive' });
  });
  app.get('/readyz', (_req, res) => {
    const { backend, device, workers } = services.pool;
    const ready = services.accepting();
    const reply: ReadyReply = { status: ready ? 'ready' : 'draining', backend, device, workers };
    res.status(ready ? 200 : 503).json(reply);
  });
  app.get('/metrics', async (_req, res) => {
    res.type(services.metrics.registry.contentType).send(await services.metrics.registry.metrics());
  });

  for (const operation of ['detect', 'moderate'] as const) {
    const input = ([image]: readonly Uint8Array[]) => ({ image: image as Uint8Array });
    app.post(`/${operation}`, operationRoute(services, { operation, input }));
  }
  app.post('/compare', compareRoute(services));
  app.post(
    '/frames',
    operationRoute(services, {
      operation: 'frames',
      parts: frameParts,
      maxBytes: maxFramesBytes,
      input: readFrames,
      weight: ({ frames }) => frames.length,
    }),
  );

  app.use((_req, res) => {
    res.status(404).json({ error: { code: 'NOT_FOUND' } });
  });
  app.use(errorHandler(services));
  return app;
}

/** How an error is answered and counted. */
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
  if (error instanceof DeadlineError) {
    return { status: 504, reply: { code: 'DEADLINE_EXCEEDED' }, outcome: 'expired' };
  }
  if (error instanceof BadRequestError) {
    const { status, code, reason } = error;
    return { status, reply: { code, reason }, outcome: 'invalid' };
  }
  // The body parser's own.
  if (error.type === 'entity.too.large') return faultOf(imageTooLarge());
  return { status: error.status ?? 500, reply: { code: 'INTERNAL_ERROR' }, outcome: 'error' };
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
    if (outcome === 'error') logger.error({ requestId, err: error }, 'request failed');
    if (outcome === 'invalid') logger.warn({ requestId, reason: error.message }, 'request refused');
    if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
    res.status(status).json({ error: reply });
  };
}
