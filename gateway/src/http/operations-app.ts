/** Health and metrics for operators, on a separate port that is never public. */
import express, { type ErrorRequestHandler, type Express } from 'express';
import { RequestError } from '../errors';
import { internalOnly } from '../middleware/internal-only';
import type { Metrics } from '../observability/metrics';

export interface OperationsServices {
  /** Names of the port, besides localhost. Default: none. */
  readonly hostNames?: ReadonlySet<string>;
  readonly metrics: Metrics;
  /** Resolves to the names of what is not ready. */
  readonly unready: () => Promise<readonly string[]>;
  /** Resolves to the names of unavailable tiers while the gateway can still serve some requests. */
  readonly degraded: () => Promise<readonly string[]>;
}

export function createOperationsApp({
  hostNames = new Set(),
  metrics,
  unready,
  degraded,
}: OperationsServices): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(internalOnly(hostNames));
  app.get('/livez', (_req, res) => {
    res.json({ status: 'alive' });
  });
  app.get('/readyz', async (_req, res) => {
    const [waitingFor, without] = await Promise.all([unready(), degraded()]);
    const ready = waitingFor.length === 0;
    res
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ready' : 'not ready', waitingFor, degraded: without });
  });
  app.get('/metrics', async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.use(respondToRefusal);
  return app;
}

const respondToRefusal: ErrorRequestHandler = (error, _req, res, next) => {
  if (!(error instanceof RequestError)) return next(error);
  const { status, code, sentence } = error;
  res.status(status).json({ error: { code, message: sentence } });
};
