/** Metrics of the gateway, in a registry of their own. No label ever names an account, a key, an address or a path. */
import { performance } from 'node:perf_hooks';
import openapi from '@presenza/contract/openapi.json';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ErrorCode } from '../errors';
import type { AdaptiveLimit } from '../services/inference/adaptive-limit';
import type { Admission } from '../services/limits/admission';
import type { Journal } from '../services/metering/journal';
import type { DependencyObserver } from '../services/timing/dependency';
import { livenessMetrics } from './liveness-metrics';
import { type Tier, tiers } from './readiness';

export type Metrics = ReturnType<typeof createMetrics>;

/** What is looked at whenever the metrics are read. */
export type WatchedJournal = Pick<Journal, 'pending' | 'oldestAt' | 'rejectedBytes'>;

export type AuthenticationOutcome = 'accepted' | 'refused' | 'limited';

/**
 * 0.5, 1 and 2 s are the targets of moderate, detect and compare: what is within a target can be counted exactly only
 * where a bucket ends at it.
 */
const buckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** Redis answers in parts of a millisecond. */
const dependencyBuckets = [0.00025, 0.0005, ...buckets];

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  watchEventLoop(registry);
  tellBuild(registry);
  const refusals = new Counter({
    name: 'presenza_gateway_refusals_total',
    help: 'Answers that report an error, by code and reason of the error catalogue.',
    labelNames: ['code', 'reason'],
    registers,
  });
  // Prometheus sees an increase only of what it saw before: the first defects are the ones to hear of.
  refusals.inc({ code: 'INTERNAL_ERROR', reason: 'none' }, 0);
  const authentications = new Counter({
    name: 'presenza_gateway_authentications_total',
    help: 'Requests whose key was looked at, by outcome: accepted, refused, limited (refused unseen).',
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
    /** @param reason one that went out, which is one of the catalogue's */
    refused: (code: ErrorCode, reason = 'none') => refusals.inc({ code, reason }),
    authenticated: (outcome: AuthenticationOutcome) => authentications.inc({ outcome }),
    dependency: dependencyObserver(registry),
    liveness: livenessMetrics(registry),
    /** @param away names of the tiers that do not answer */
    watchTiers: (away: () => Promise<readonly Tier[]>) => watchTiers(registry, away),
    watchAdmission: (admission: Admission) => watchAdmission(registry, admission),
    watchAdaptiveLimit: (limit: Pick<AdaptiveLimit, 'value'>) => watchAdaptiveLimit(registry, limit),
    watchJournal: (journal: WatchedJournal) => watchJournal(registry, journal),
  };
}

function dependencyObserver(registry: Registry): DependencyObserver {
  const seconds = new Histogram({
    name: 'presenza_gateway_dependency_seconds',
    help: 'Time per call to Redis or the inference tier, by operation and outcome.',
    labelNames: ['dependency', 'operation', 'outcome'],
    buckets: dependencyBuckets,
    registers: [registry],
  });
  return ({ ms, ...labels }) => seconds.observe(labels, ms / 1e3);
}

function watchTiers(registry: Registry, away: () => Promise<readonly Tier[]>): void {
  new Gauge({
    name: 'presenza_gateway_tier_up',
    help: 'Whether Redis (store) and the inference tier answer: 1 or 0.',
    labelNames: ['tier'],
    registers: [registry],
    async collect() {
      const missing = await away();
      for (const tier of tiers) this.set({ tier }, missing.includes(tier) ? 0 : 1);
    },
  });
}

function watchAdmission(registry: Registry, admission: Admission): void {
  new Gauge({
    name: 'presenza_gateway_requests_in_flight',
    help: 'Requests of operations that were admitted and have not been answered.',
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
    help: 'Analyses that may be at the inference tier at once, learned from its refusals; +Inf until the first.',
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
  gauge('oldest_seconds', 'How far the ledger is behind: age of the oldest of these commits; 0: none.', () =>
    // A clock that was set back must not tell of a wait below nothing.
    Math.max(0, (Date.now() - (journal.oldestAt?.getTime() ?? Date.now())) / 1e3),
  );
  gauge(
    'rejected_bytes',
    'Bytes of commits that can never be counted, kept aside for an operator.',
    () => journal.rejectedBytes,
  );
}

function tellBuild(registry: Registry): void {
  new Gauge({
    name: 'presenza_gateway_build_info',
    help: 'Version of the API that is served; always 1.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: openapi.info.version }, 1);
}

/** Beside its lag, which the default metrics hold: lag says that requests wait, utilisation how soon they will. */
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
