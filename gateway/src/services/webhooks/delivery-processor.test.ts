import type { AuditRecord } from '../audit/audit';
import { ConcurrencyLimiter } from './concurrency-limiter';
import type { Delivery } from './delivery-log';
import { DeliveryProcessor, type DeliveryProcessorServices } from './delivery-processor';
import type { WebhookEndpoint } from './endpoints';
import { retrySchedule } from './schedule';

const delivery: Delivery = {
  accountId: 'acc_1',
  eventId: 'evt_1',
  sessionId: 'ses_1',
  eventType: 'session.started',
  timestamp: 1,
  mode: 'live',
  webhookId: 'wh_1',
} as const;

/** One endpoint that fails, and an audit log that rejects entries until `acceptRecords`. */
function failing(status: number) {
  let endpoint = { id: 'wh_1', type: 'async' } as WebhookEndpoint;
  let accepts = false;
  const audited: AuditRecord[] = [];
  const services: Partial<DeliveryProcessorServices> = {
    endpoints: { findEndpoint: async () => endpoint } as never,
    webhooks: {
      disable: async (_account, _id, because) => {
        endpoint = { ...endpoint, disabled: { at: 1, because } };
        return endpoint;
      },
    },
    log: { find: async () => undefined, write: async () => 0 } as never,
    audit: {
      record: async (entry) => {
        if (!accepts) throw new Error('full');
        audited.push(entry);
      },
    },
    dispatcher: { dispatch: async () => ({ status, tookMs: 1 }) } as never,
    limiter: new ConcurrencyLimiter(),
    schedule: retrySchedule(),
    disableAfterMs: 1,
    now: () => 2,
    timeoutMs: 1_000,
    observe: () => {},
    onDisabled: () => {},
  };
  const processor = new DeliveryProcessor(services as DeliveryProcessorServices);
  return {
    attempt: () => processor.process(delivery, 0),
    disabled: () => endpoint.disabled?.because,
    audited,
    acceptRecords: () => {
      accepts = true;
    },
  };
}

test.each([
  [410, 'gone'],
  [500, 'failing'],
])('after %d disables an endpoint only once the audit log has recorded it', async (status, because) => {
  const delivery = failing(status);
  // The queue retries the attempt.
  await expect(delivery.attempt()).rejects.toThrow('full');
  expect(delivery.disabled()).toBeUndefined();
  delivery.acceptRecords();
  await delivery.attempt();
  expect(delivery.disabled()).toBe(because);
  expect(delivery.audited.map(({ outcome }) => outcome)).toEqual(['begun', 'done']);
  expect(await delivery.attempt()).toEqual({ kind: 'dead' });
  expect(delivery.audited).toHaveLength(2);
});
