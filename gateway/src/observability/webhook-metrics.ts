/** Metrics of deliveries. Like all others they name no account and no endpoint. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { DeliveryOutcome } from '../services/webhooks/deliverer';
import type { QueueState } from '../stores/webhooks/delivery-queue';

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

const buckets = [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15];

export function createWebhookMetrics(registry: Registry) {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'presenza_gateway_webhook_attempts_total',
    help: 'Attempts to deliver an event: delivered, failed (comes again), dead, gone (410), dropped (no endpoint).',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'presenza_gateway_webhook_attempt_seconds',
    help: 'Time that receivers took to answer, or until they were given up.',
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  const disabled = new Counter({
    name: 'presenza_gateway_webhook_endpoints_disabled_total',
    help: 'Endpoints disabled by the gateway, by reason: gone (410), failing (nothing else for days).',
    labelNames: ['because'],
    registers,
  });
  // Prometheus sees an increase only of what it saw before, and these are rare.
  for (const because of ['gone', 'failing']) disabled.inc({ because }, 0);
  return {
    /** @param tookMs undefined where nothing was sent */
    attempted(outcome: DeliveryOutcome, tookMs: number | undefined): void {
      deliveries.inc({ outcome });
      if (tookMs !== undefined) seconds.observe({ outcome }, tookMs / 1e3);
    },
    disabled: (because: 'gone' | 'failing') => disabled.inc({ because }),
    /** @param state of the queue, which all gateways share; rejects while Redis is away */
    watchQueue: (state: () => Promise<QueueState>) => watchQueue(registry, state),
  };
}

function watchQueue(registry: Registry, read: () => Promise<QueueState>): void {
  let reading: Promise<QueueState | undefined> | undefined;
  // One reading for all gauges. While Redis is away they stand still, and the gauge of the tiers tells why.
  const shared = () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const gauge = (name: string, help: string, valueIn: (state: QueueState) => number) =>
    new Gauge({
      name: `presenza_gateway_webhook_${name}`,
      help,
      registers: [registry],
      async collect() {
        const state = await shared();
        if (state) this.set(valueIn(state));
      },
    });
  gauge(
    'backlog',
    'Deliveries that wait or are under way, those between two attempts included.',
    ({ backlog }) => backlog,
  );
  gauge(
    'oldest_waiting_seconds',
    'For how long the first delivery in line could have gone out; 0: none waits.',
    ({ dueSince = Date.now() }) => Math.max(0, (Date.now() - dueSince) / 1e3),
  );
  gauge(
    'dead_letters',
    'Deliveries of the last 7 days that were given up.',
    ({ deadLetters }) => deadLetters,
  );
}
