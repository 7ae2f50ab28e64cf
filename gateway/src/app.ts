/** The public API as an Express application. It does not listen and knows no environment. */
import express, { type Express } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Logger } from 'pino';
import type { Metrics } from './metrics';
import { type Authentication, authenticate } from './middleware/authenticate';
import { connection } from './middleware/connection';
import { errors, lastResort, notFound } from './middleware/errors';
import { requireHost } from './middleware/host';
import { observe } from './middleware/observe';
import { requestId } from './middleware/request-id';
import { detectRoute } from './routes/detect';
import { healthRoute } from './routes/health';
import { moderateRoute } from './routes/moderate';
import type { Admission } from './services/admission';
import type { CategoryStore } from './services/categories';
import type { InferenceClient } from './services/inference-client';

export interface Services {
  readonly keys: Authentication;
  readonly inference: InferenceClient;
  readonly categories: Pick<CategoryStore, 'listCategories'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly admission: Admission;
  /** Resolves to what keeps requests from being served, by name; empty when all is well. */
  readonly unready: () => Promise<readonly string[]>;
  readonly draining: () => boolean;
  /** Time an answer may take once the request has been read. */
  readonly deadlineMs: number;
  readonly now: () => number;
  /** Proxies whose X-Forwarded-For is believed, or how many there are; default none. */
  readonly trustProxy?: number | readonly string[];
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
  app.set('trust proxy', services.trustProxy ?? false);
  app.use(
    requestId(),
    observe(services.logger, services.metrics),
    connection(services.draining),
    helmet(answersOnly),
    requireHost(),
  );

  const authenticated = authenticate(services.keys);
  const routes = [
    healthRoute(services),
    detectRoute({ ...services, authenticated }),
    moderateRoute({ ...services, authenticated }),
  ];
  // Documented with and without the prefix; both are the same operation.
  for (const base of ['/', '/v1']) app.use(base, ...routes);

  app.use(notFound());
  app.use(errors(services.logger), lastResort());
  return app;
}
