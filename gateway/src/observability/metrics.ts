/** Metrics of the gateway, in a registry of their own. No label ever names an account, a key, an address or a path. */
import { performance } from 'node:perf_hooks';
import openapi from '@presenza/contract/openapi.json';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestErrorCode } from '../errors';
import type { MailOutcome } from '../services/identity/mail';
import type { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { Admission } from '../services/limits/admission';
import type { Journal } from '../services/metering/journal';
import type { DropReason } from '../services/requests/request-log';
import type { DependencyObserver } from '../services/timing/dependency';
import { livenessMetrics } from './liveness-metrics';
import type { Readiness } from './readiness';

export type Metrics = ReturnType<typeof createMetrics>;

/** The part of the journal that gauges read at each scrape. */
export type WatchedJournal = Pick<Journal, 'pending' | 'oldestAt' | 'rejectedBytes'>;

export type WatchedTiers = Pick<Readiness, 'tiers' | 'unavailable'>;

export type AuthenticationOutcome = 'accepted' | 'refused' | 'limited';

/**
 * Moderate, detect and compare have targets of 0.5, 1 and 2 s. Requests within a target can be counted exactly only if
 * a bucket ends there.
 */
const buckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** Redis responds within fractions of a millisecond. */
const dependencyBuckets = [0.00025, 0.0005, ...buckets];

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  watchEventLoop(registry);
  exposeBuild(registry);
  const refusals = new Counter({
    name: 'presenza_gateway_refusals_total',
    help: 'Error responses, by code and reason of the error catalogue.',
    labelNames: ['code', 'reason'],
    registers,
  });
  // Prometheus sees an increase only of a series that exists, and the first defect must raise an alert.
  refusals.inc({ code: 'INTERNAL_ERROR', reason: 'none' }, 0);
  const authentications = new Counter({
    name: 'presenza_gateway_authentications_total',
    help: 'Requests with a key, by outcome: accepted, refused, limited (refused without a look-up).',
    labelNames: ['outcome'],
    registers,
  });
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'presenza_gateway_request_seconds',
      help: 'Time per request, by operation, status and plan.',
      labelNames: ['operation', 'status', 'plan'],
      buckets,
      registers,
    }),
    /** @param reason of the response, from the catalogue */
    refused: (code: RequestErrorCode, reason = 'none') => refusals.inc({ code, reason }),
    authenticated: (outcome: AuthenticationOutcome) => authentications.inc({ outcome }),
    dependency: dependencyObserver(registry),
    liveness: livenessMetrics(registry),
    requestLogDropped: requestLogDrops(registry),
    mail: mails(registry),
    watchTiers: (readiness: WatchedTiers) => watchTiers(registry, readiness),
    /** @param overdue resolves to the number of keys that should have been erased, rejects if it is unknown */
    watchSessionKeys: (overdue: () => Promise<number>) => watchSessionKeys(registry, overdue),
    watchAdmission: (admission: Admission) => watchAdmission(registry, admission),
    watchAdaptiveLimit: (limit: Pick<AdaptiveLimit, 'value'>) => watchAdaptiveLimit(registry, limit),
    watchJournal: (journal: WatchedJournal) => watchJournal(registry, journal),
  };
}

function requestLogDrops(registry: Registry): (reason: DropReason, count: number) => void {
  const drops = new Counter({
    name: 'presenza_gateway_request_log_drops_total',
    help: 'Entries of request logs that were dropped, by reason: full (Redis is too slow), store (Redis failed).',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of ['full', 'store']) drops.inc({ reason }, 0);
  return (reason, count) => drops.inc({ reason }, count);
}

function mails(registry: Registry): (outcome: MailOutcome) => void {
  const counter = new Counter({
    name: 'presenza_gateway_mails_total',
    help: 'Mails of the console by outcome: sent to the mail server, kept for operators, failed, dropped (too many waited).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Prometheus sees an increase only of a series that exists, and mails are rare.
  for (const outcome of ['sent', 'kept', 'failed', 'dropped']) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
}

function dependencyObserver(registry: Registry): DependencyObserver {
  const seconds = new Histogram({
    name: 'presenza_gateway_dependency_seconds',
    help: 'Time per call to Redis, the Redis of the session keys (sessionKeys) or the inference tier, by operation and outcome.',
    labelNames: ['dependency', 'operation', 'outcome'],
    buckets: dependencyBuckets,
    registers: [registry],
  });
  return ({ ms, ...labels }) => seconds.observe(labels, ms / 1e3);
}

function watchTiers(registry: Registry, readiness: WatchedTiers): void {
  new Gauge({
    name: 'presenza_gateway_tier_up',
    help: 'Whether Redis (store), the Redis of the session keys (sessionKeys) and the inference tier respond: 1 or 0.',
    labelNames: ['tier'],
    registers: [registry],
    async collect() {
      const missing = await readiness.unavailable();
      for (const tier of readiness.tiers) this.set({ tier }, missing.includes(tier) ? 0 : 1);
    },
  });
}

function watchSessionKeys(registry: Registry, overdue: () => Promise<number>): void {
  new Gauge({
    name: 'presenza_gateway_session_keys_overdue',
    help: 'Keys of liveness sessions that should have been erased more than five minutes ago.',
    registers: [registry],
    async collect() {
      // A number from before an outage would be wrong, so there is none until its end.
      this.remove();
      await overdue().then(
        (count) => this.set(count),
        () => {},
      );
    },
  });
}

function watchAdmission(registry: Registry, admission: Admission): void {
  new Gauge({
    name: 'presenza_gateway_requests_in_flight',
    help: 'Admitted requests without a complete response.',
    registers: [registry],
    collect() {
      this.set(admission.inFlight.requests);
    },
  });
  new Gauge({
    name: 'presenza_gateway_body_bytes_in_flight',
    help: 'Bytes of the bodies of the requests in flight, as announced.',
    registers: [registry],
    collect() {
      this.set(admission.inFlight.bodyBytes);
    },
  });
}

function watchAdaptiveLimit(registry: Registry, limit: Pick<AdaptiveLimit, 'value'>): void {
  new Gauge({
    name: 'presenza_gateway_adaptive_limit',
    help: 'Analyses that may run at the inference tier at once, learned from its rejections; +Inf until the first.',
    registers: [registry],
    collect() {
      this.set(limit.value);
    },
  });
}

function watchJournal(registry: Registry, journal: WatchedJournal): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `presenza_gateway_journal_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('pending', 'Commits that are not in the ledger yet.', () => journal.pending);
  gauge('oldest_seconds', 'Age of the oldest commit that is not in the ledger yet; 0: none.', () =>
    // Never negative, even if the clock was set back.
    Math.max(0, (Date.now() - (journal.oldestAt?.getTime() ?? Date.now())) / 1e3),
  );
  gauge(
    'rejected_bytes',
    'Bytes of commits that can never be counted, set aside for an operator.',
    () => journal.rejectedBytes,
  );
}

function exposeBuild(registry: Registry): void {
  new Gauge({
    name: 'presenza_gateway_build_info',
    help: 'Version of the API that is served; always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: openapi.info.version }, 1);
}

/** Complements the lag of the default metrics: lag shows that requests wait, utilization shows that they soon will. */
function watchEventLoop(registry: Registry): void {
  let last = performance.eventLoopUtilization();
  new Gauge({
    name: 'presenza_gateway_event_loop_utilization',
    help: 'Part of the time since the last scrape that the event loop was busy, 0 to 1.',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}
