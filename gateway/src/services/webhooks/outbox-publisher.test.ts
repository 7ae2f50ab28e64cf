import type { SessionEvent } from '../liveness/session/events';
import type { QueuedDelivery } from './delivery-queue';
import type { WebhookEndpoint } from './endpoints';
import { OutboxPublisher, type OutboxPublisherServices } from './outbox-publisher';

const events = ['started', 'completed', 'failed', 'cancelled', 'expired'].map(
  (name) => `session.${name}` as SessionEvent['eventType'],
);
const syncDelayMs = 10_000;

/** The delay of each event for an endpoint of this type. */
async function delays(type: 'sync' | 'async', plan = 'growth'): Promise<Readonly<Record<string, number>>> {
  let entries = events.map((eventType, i) => ({
    entryId: String(i),
    event: { accountId: 'acc_1', eventId: `evt_${i}`, sessionId: 'ses_1', eventType, timestamp: 1 },
  }));
  let queued: readonly QueuedDelivery[] = [];
  const services: Partial<OutboxPublisherServices> = {
    outbox: {
      read: async () => entries,
      remove: async () => {
        entries = [];
      },
    } as never,
    endpoints: { listEndpoints: async () => [{ id: 'wh_1', type, events } as unknown as WebhookEndpoint] },
    accounts: { findAccount: async () => ({ plan }) as never },
    log: { begin: async () => {} } as never,
    queue: {
      add: async (deliveries) => {
        queued = deliveries;
      },
    },
    syncDelayMs,
  };
  const publisher = new OutboxPublisher(services as OutboxPublisherServices);
  publisher.notify('acc_1');
  await publisher.stop();
  return Object.fromEntries(queued.map(({ delivery, delayMs }) => [delivery.eventType, delayMs]));
}

test('only events about which synchronous endpoints are asked wait for their response', async () => {
  expect(await delays('sync')).toEqual({
    'session.started': syncDelayMs,
    'session.completed': syncDelayMs,
    'session.failed': syncDelayMs,
    'session.cancelled': 0,
    'session.expired': 0,
  });
});

test.each([
  ['async', 'growth'],
  ['sync', 'basic'],
] as const)('no event waits for an %s endpoint of the plan %s', async (type, plan) => {
  expect(Object.values(await delays(type, plan))).toEqual([0, 0, 0, 0, 0]);
});
