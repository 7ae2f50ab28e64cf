/** HTTP face of the inference tier, for the gateway only: it trusts its caller and knows no keys or plans. */
import limits from '@presenza/contract/limits.json';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { OverloadError, type WorkerPool } from '../pool/pool';
import type { Metrics } from './metrics';
import type { DetectReply, FaultReply } from './protocol';

export interface AppServices {
  readonly pool: Pick<WorkerPool, 'run' | 'device' | 'workers'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** False once the process drains. */
  readonly accepting: () => boolean;
}

export function createApp(services: AppServices): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.get('/livez', (_req, res) => {
    res.json({ status: 'alive' });
  });
  app.get('/readyz', (_req, res) => {
    const { device, workers } = services.pool;
    const ready = services.accepting();
    res.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'draining', device, workers });
  });
  app.get('/metrics', async (_req, res) => {
    res.type(services.metrics.registry.contentType).send(await services.metrics.registry.metrics());
  });

  app.post('/detect', express.raw({ type: () => true, limit: limits.image.maxBytes }), detect(services));

  app.use((_req, res) => {
    res.status(404).json({ error: { code: 'NOT_FOUND' } });
  });
  app.use(errorHandler(services));
  return app;
}

function detect({ pool, metrics }: AppServices) {
  return async (req: Request, res: Response) => {
    const begin = performance.now();
    // An empty body arrives as an empty object.
    const body = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const result = await pool.run({ kind: 'detect', image: transferable(body) });
    if (!result.ok) {
      metrics.requests.inc({ operation: 'detect', outcome: 'refused' });
      const reply: FaultReply = {
        error: { code: 'INVALID_IMAGE', reason: result.fault, values: result.values },
      };
      res.status(422).json(reply);
      return;
    }
    const { faces, timings } = result.detection;
    const totalMs = performance.now() - begin;
    metrics.requests.inc({ operation: 'detect', outcome: 'ok' });
    metrics.stageSeconds.observe({ operation: 'detect', stage: 'decode' }, timings.decodeMs / 1e3);
    metrics.stageSeconds.observe({ operation: 'detect', stage: 'model' }, timings.modelMs / 1e3);
    metrics.stageSeconds.observe({ operation: 'detect', stage: 'total' }, totalMs / 1e3);
    const reply: DetectReply = { faces, timings: { ...timings, totalMs } };
    res.json(reply);
  };
}

/** Bytes that own their whole buffer, so that it can be handed to a worker. Small Buffers share a pool: copy those. */
function transferable(bytes: Buffer): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
}

function errorHandler({ metrics, logger }: AppServices) {
  return (error: Error & { status?: number }, req: Request, res: Response, _next: NextFunction) => {
    const overloaded = error instanceof OverloadError;
    const status = overloaded ? 503 : (error.status ?? 500);
    metrics.requests.inc({ operation: req.path.slice(1), outcome: overloaded ? 'shed' : 'error' });
    if (!overloaded) logger.error({ requestId: req.get('x-request-id'), err: error }, 'request failed');
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const reply: FaultReply = { error: { code: overloaded ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR' } };
    if (overloaded) res.set('Retry-After', '1');
    res.status(status).json(reply);
  };
}
