/** Health and metrics for operators, on a port of their own that is never published. */
import express, { type Express } from 'express';
import type { Metrics } from '../observability/metrics';

export interface OperationsServices {
  readonly metrics: Metrics;
  /** Resolves to what is not ready, by name; empty when all is well. */
  readonly unready: () => Promise<readonly string[]>;
  /** Resolves to what is away, by name, while some requests can be served all the same. */
  readonly degraded: () => Promise<readonly string[]>;
}

export function createOperationsApp({ metrics, unready, degraded }: OperationsServices): Express {
  const app = express();
  app.disable('x-powered-by');
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
  return app;
}
