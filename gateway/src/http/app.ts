/** The public API as an Express application. It neither listens nor reads the environment. */
import express, { type Express, Router } from 'express';
import type { HelmetOptions } from 'helmet';
import type { Logger } from 'pino';
import type { ConsoleServices } from '../console/call';
import { consoleRouter } from '../console/router';
import type { ErrorLinks } from '../errors';
import { type Authentication, authenticate } from '../middleware/authenticate';
import { beforeHeaders } from '../middleware/before-headers';
import { chain } from '../middleware/chain';
import { checkResponses } from '../middleware/check-responses';
import { keepOrClose } from '../middleware/connection';
import { errors, lastResort, notFound } from '../middleware/errors';
import { checkHeaders } from '../middleware/headers';
import { leanJson } from '../middleware/lean-json';
import { observe } from '../middleware/observe';
import { countRefusals } from '../middleware/rate';
import { requestId } from '../middleware/request-id';
import { securityHeaders } from '../middleware/security-headers';
import { serverTiming, timed } from '../middleware/server-timing';
import type { Metrics } from '../observability/metrics';
import { batchRoute } from '../routes/batch';
import { compareRoute } from '../routes/compare';
import { detectRoute } from '../routes/detect';
import { eventsRoute } from '../routes/events';
import { healthRoute } from '../routes/health';
import { keysRoute } from '../routes/keys';
import { livenessRoute } from '../routes/liveness';
import type { ManagementServices } from '../routes/management';
import { moderateRoute } from '../routes/moderate';
import { openapiRoute } from '../routes/openapi';
import { usageRoute } from '../routes/usage';
import { webhooksRoute } from '../routes/webhooks';
import { createAnalyses } from '../services/analyses';
import type { CategoryStore } from '../services/categories/categories';
import type { HealthHistory } from '../services/health/health-history';
import type { PublicIncidents } from '../services/incidents/public-incidents';
import type { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { InferenceClient } from '../services/inference/inference-client';
import type { KeyService } from '../services/keys/keys';
import type { Admission } from '../services/limits/admission';
import type { Liveness } from '../services/liveness/liveness';
import type { Metering } from '../services/metering/metering';
import type { UsageStore } from '../services/metering/usage';
import type { RequestLog } from '../services/requests/request-log';
import type { Tracer } from '../services/timing/stages';
import type { EventHistory } from '../services/webhooks/event-history';

export interface Services {
  readonly keys: Authentication;
  readonly inference: InferenceClient;
  readonly categories: Pick<CategoryStore, 'listCategories'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Undefined without a trace collector. */
  readonly tracer?: Tracer | undefined;
  /** Absent: accounts have no log of their requests. */
  readonly requestLog?: Pick<RequestLog, 'add'>;
  readonly admission: Admission;
  /** Limits the analyses at the inference tier. */
  readonly adaptiveLimit: AdaptiveLimit;
  readonly metering: Metering;
  readonly usage: Pick<UsageStore, 'readMonth'>;
  readonly accounts: Pick<KeyService, 'findAccount'>;
  readonly liveness: Liveness;
  readonly events: Pick<EventHistory, 'list' | 'find'>;
  readonly management: ManagementServices['management'];
  /** Resolves to the names of the problems that keep the gateway from serving requests. */
  readonly unready: () => Promise<readonly string[]>;
  readonly health: Pick<HealthHistory, 'read'>;
  readonly incidents: Pick<PublicIncidents, 'read'>;
  readonly draining: () => boolean;
  /** Whether responses are checked against the contract. */
  readonly checkResponses: boolean;
  /** Time for a response once the request has been read. */
  readonly deadlineMs: number;
  readonly now: () => number;
  /** Absent: there is no console. */
  readonly console?: ConsoleServices;
  readonly errorLinks?: ErrorLinks;
  /** Proxies whose X-Forwarded-For is trusted, or their number; by default none. */
  readonly trustProxy?: number | readonly string[];
}

/** The API responds with JSON only: a browser must not load, run or frame anything for it. */
const jsonOnly: HelmetOptions = {
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
  leanJson(app);
  app.set('trust proxy', services.trustProxy ?? false);
  app.use(
    chain(
      requestId(),
      observe(services),
      beforeHeaders(keepOrClose(services.draining), serverTiming),
      securityHeaders(jsonOnly),
      checkHeaders(),
    ),
  );
  const common = {
    ...services,
    authenticated: timed('auth', authenticate(services.keys)),
    analyses: createAnalyses({
      ...services,
      onUnlisted: (requestId) =>
        services.logger.warn({ requestId }, 'custom categories were left out while the store is unavailable'),
      onStale: (requestId) =>
        services.logger.warn({ requestId }, 'custom categories belong to another model; create them again'),
    }),
  };
  if (services.console) {
    const { console, admission } = services;
    app.use('/console/api', consoleRouter({ console, admission, analyses: common }));
  }
  if (services.checkResponses) app.use(checkResponses());

  const api = Router();
  openapiRoute(api, common);
  healthRoute(api, common);
  detectRoute(api, common);
  compareRoute(api, common);
  moderateRoute(api, common);
  batchRoute(api, common);
  livenessRoute(api, common);
  usageRoute(api, common);
  eventsRoute(api, common);
  webhooksRoute(api, common);
  keysRoute(api, common);
  // The documentation allows every path with and without the prefix.
  app.use('/v1', api);
  app.use(api);

  app.use(notFound());
  app.use(countRefusals(services.metering));
  app.use(errors(services.logger, services.errorLinks), lastResort(services.errorLinks));
  return app;
}
