/** The public API as an Express application. It does not listen and knows no environment. */
import express, { type Express, Router } from 'express';
import type { HelmetOptions } from 'helmet';
import type { Logger } from 'pino';
import { answerLean } from '../middleware/answer-lean';
import { type Authentication, authenticate } from '../middleware/authenticate';
import { beforeHeaders } from '../middleware/before-headers';
import { checkAnswers } from '../middleware/check-answers';
import { keepOrClose } from '../middleware/connection';
import { errors, lastResort, notFound } from '../middleware/errors';
import { checkHeaders } from '../middleware/headers';
import { inTurn } from '../middleware/in-turn';
import { observe } from '../middleware/observe';
import { countRefusals } from '../middleware/rate';
import { requestId } from '../middleware/request-id';
import { securityHeaders } from '../middleware/security-headers';
import { serverTiming, timed } from '../middleware/server-timing';
import type { Metrics } from '../observability/metrics';
import { batchRoute } from '../routes/batch';
import { compareRoute } from '../routes/compare';
import { detectRoute } from '../routes/detect';
import { healthRoute } from '../routes/health';
import { livenessRoute } from '../routes/liveness';
import { moderateRoute } from '../routes/moderate';
import { openapiRoute } from '../routes/openapi';
import { usageRoute } from '../routes/usage';
import { createAnalyses } from '../services/analyses';
import type { CategoryStore } from '../services/categories/categories';
import type { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { InferenceClient } from '../services/inference/inference-client';
import type { KeyService } from '../services/keys/keys';
import type { Admission } from '../services/limits/admission';
import type { Liveness } from '../services/liveness/liveness';
import type { Metering } from '../services/metering/metering';
import type { UsageStore } from '../services/metering/usage';
import type { Tracer } from '../services/timing/stages';

export interface Services {
  readonly keys: Authentication;
  readonly inference: InferenceClient;
  readonly categories: Pick<CategoryStore, 'listCategories'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Undefined where nobody collects traces. */
  readonly tracer?: Tracer | undefined;
  readonly admission: Admission;
  /** Of analyses at the inference tier. */
  readonly adaptiveLimit: AdaptiveLimit;
  readonly metering: Metering;
  readonly usage: Pick<UsageStore, 'readMonth'>;
  readonly accounts: Pick<KeyService, 'findAccount'>;
  readonly liveness: Liveness;
  /** Resolves to what keeps requests from being served, by name; empty when all is well. */
  readonly unready: () => Promise<readonly string[]>;
  readonly draining: () => boolean;
  /** Whether answers are held to the contract as requests are. */
  readonly checkAnswers: boolean;
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
  app.disable('x-powered-by');
  answerLean(app);
  app.set('trust proxy', services.trustProxy ?? false);
  app.use(
    inTurn(
      requestId(),
      observe(services.logger, services.metrics, services.tracer),
      beforeHeaders(keepOrClose(services.draining), serverTiming),
      securityHeaders(answersOnly),
      checkHeaders(),
      ...(services.checkAnswers ? [checkAnswers()] : []),
    ),
  );

  const common = {
    ...services,
    authenticated: timed('auth', authenticate(services.keys)),
    analyses: createAnalyses({
      ...services,
      onUnlisted: (requestId) =>
        services.logger.warn({ requestId }, 'custom categories were left out while the store is away'),
      onStale: (requestId) =>
        services.logger.warn({ requestId }, 'custom categories were made for another model: make them again'),
    }),
  };
  const api = Router();
  openapiRoute(api);
  healthRoute(api, services);
  detectRoute(api, common);
  compareRoute(api, common);
  moderateRoute(api, common);
  batchRoute(api, common);
  livenessRoute(api, common);
  usageRoute(api, common);
  // Documented with and without the prefix; both are the same operation.
  app.use('/v1', api);
  app.use(api);

  app.use(notFound());
  app.use(countRefusals(services.metering));
  app.use(errors(services.logger), lastResort());
  return app;
}
