/** The public API as an Express application. It does not listen and knows no environment. */
import express, { type Express } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Logger } from 'pino';
import type { Metrics } from './metrics';
import { authenticate } from './middleware/authenticate';
import { errors, notFound } from './middleware/errors';
import { observe } from './middleware/observe';
import { requestId } from './middleware/request-id';
import { detectRoute } from './routes/detect';
import { healthRoute } from './routes/health';
import type { InferenceClient } from './services/inference-client';
import type { KeyService } from './services/keys';

export interface Services {
  readonly keys: Pick<KeyService, 'authenticate'>;
  readonly inference: InferenceClient;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly now: () => number;
}

/** The API answers JSON: a browser that opens an answer has nothing to load, run or frame. */
const answersOnly: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
};

export function createApp(services: Services): Express {
  const app = express();
  app.disable('etag');
  app.use(requestId(), observe(services.logger, services.metrics), helmet(answersOnly));

  const authenticated = authenticate(services.keys);
  const routes = [healthRoute(services.now), detectRoute(authenticated, services.inference)];
  // Documented with and without the prefix; both are the same operation.
  for (const base of ['/', '/v1']) app.use(base, ...routes);

  app.use(notFound());
  app.use(errors(services.logger));
  return app;
}
