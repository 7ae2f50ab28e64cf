/** Starts a gateway in three steps (stores, services, servers), and drains it in the opposite order. */
import limits from '@presenza/contract/limits.json';
import type { Logger } from 'pino';
import { every } from '../async/every';
import { waitAtMost } from '../async/wait-at-most';
import { bounds } from '../bounds';
import type { Config } from '../config';
import { describe } from '../errors/explain';
import { createMetrics } from '../observability/metrics';
import { Readiness, type Tier } from '../observability/readiness';
import { HealthHistory } from '../services/health/health-history';
import { PublicIncidents } from '../services/incidents/public-incidents';
import { RedisHealthStore } from '../stores/redis-health-store';
import { RedisIncidentStore } from '../stores/redis-incident-store';
import { createServers } from './servers';
import { startServices } from './services';
import { openStores } from './stores';

/** A gateway that listens. */
export interface RunningGateway {
  /** Takes no new requests, lets those in flight finish, and closes every connection. */
  drain(): Promise<void>;
}

/** @throws Error, a sentence for the operator, if a part cannot start */
export async function startGateway(config: Config, logger: Logger): Promise<RunningGateway> {
  const metrics = createMetrics();
  const stores = await openStores(config, logger, metrics);
  const tracing = await startTracing(config, logger);
  const services = await startServices(config, stores, logger, metrics);
  const { inference, admin } = services;
  let draining = false;
  const readiness = new Readiness({ ...stores.probes, inference: () => inference.ready() });
  metrics.watchTiers(readiness);
  const drainingOr = (missing: readonly Tier[]) => [...(draining ? ['draining'] : []), ...missing];
  const neverSeen = async () => (await readiness.neverSeen()).filter((tier) => tier !== 'sessionKeys');
  const health = new HealthHistory({
    store: new RedisHealthStore(stores.redis),
    unavailable: () => readiness.unavailable(),
    isInService: async () => (await neverSeen()).length === 0,
    now: Date.now,
  });
  const onUnrecorded = (error: Error) =>
    logger.warn({ err: describe(error) }, 'health could not be recorded');
  const stopMeasuring = every(1_000 * limits.health.measureSeconds, () => health.measure(), onUnrecorded);
  const incidents = new PublicIncidents(new RedisIncidentStore(stores.redis), Date.now);
  const onUnread = (error: Error) => logger.warn({ err: describe(error) }, 'incidents could not be read');
  const firstRead = incidents.refresh().catch(onUnread);
  const stopReading = every(1_000 * limits.incidents.readSeconds, () => incidents.refresh(), onUnread);
  const servers = createServers(config, {
    admin,
    logger,
    metrics,
    api: {
      ...services.api,
      tracer: tracing,
      health,
      incidents,
      draining: () => draining,
      // The gateway serves accounts with overage without the store, and all but liveness without the session keys.
      unready: async () => drainingOr((await readiness.unavailable()).filter((tier) => tier === 'inference')),
    },
    operations: {
      metrics,
      // All gateways share a tier. If its outage made them unready, a balancer would remove every gateway at once, and
      // clients would receive neither the error nor its Retry-After. A gateway that starts without the session keys
      // serves everything except liveness.
      unready: async () => drainingOr(await neverSeen()),
      degraded: () => readiness.unavailable(),
    },
  });
  const close = async () => {
    const delivering = services.stopDelivering();
    await servers.close(config.GATEWAY_DRAIN_MS ?? longestRequestMs(config));
    await waitAtMost(bounds.settleMs, services.settle());
    await delivering;
    await Promise.all([stopMeasuring(), stopReading(), firstRead]);
    await services.stopWebhooks();
    stores.closeJournal();
    inference.close();
    stores.disconnect();
    await tracing?.shutdown();
  };
  try {
    await servers.listen();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    drain() {
      draining = true;
      return close();
    },
  };
}

const longestRequestMs = ({ GATEWAY_DEADLINE_MS }: Config) =>
  Math.min(GATEWAY_DEADLINE_MS * bounds.batchDeadlines + bounds.responseLingerMs, bounds.drainMs);

/** Undefined without a collector: the gateway then does not load the OpenTelemetry SDK. */
async function startTracing(config: Config, logger: Logger) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: serviceName } = config;
  if (endpoint === undefined) return undefined;
  const tracing = await import('../observability/tracing.js');
  const warn = ({ message }: Error) => logger.warn({ message }, 'traces could not be sent');
  return tracing.startTracing({ endpoint, serviceName, warn });
}
