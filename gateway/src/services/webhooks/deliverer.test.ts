import type { AuditRecord } from '../audit/audit';
import { Deliverer, type DelivererServices } from './deliverer';
import type { Delivery } from './deliveries';
import type { WebhookEndpoint } from './endpoints';
import { retrySchedule } from './schedule';
import { Turns } from './turns';

const delivery: Delivery = {
  ...{ accountId: 'acc_1', eventId: 'evt_1', sessionId: 'ses_1', eventType: 'session.started' },
  ...{ timestamp: 1, webhookId: 'wh_1' },
} as const;

/** One endpoint that fails, and an audit log that takes nothing until it is told to. */
function failing(status: number) {
  let endpoint = { id: 'wh_1', type: 'async' } as WebhookEndpoint;
  let takes = false;
  const audited: AuditRecord[] = [];
  const services: Partial<DelivererServices> = {
    endpoints: { findEndpoint: async () => endpoint } as never,
    webhooks: {
      disable: async (_account, _id, because) => {
        endpoint = { ...endpoint, disabled: { at: 1, because } };
        return endpoint;
      },
    },
    log: { write: async () => 0 } as never,
    audit: {
      record: async (entry) => {
        if (!takes) throw new Error('full');
        audited.push(entry);
      },
    },
    envoy: { send: async () => ({ status, tookMs: 1 }) } as never,
    ...{ turns: new Turns(), schedule: retrySchedule(), disableAfterMs: 1, now: () => 2 },
    ...{ observe: () => {}, onDisabled: () => {} },
  };
  const deliverer = new Deliverer(services as DelivererServices);
  return {
    attempt: () => deliverer.attempt(delivery, 0),
    disabled: () => endpoint.disabled?.because,
    audited,
    takeRecords: () => {
      takes = true;
    },
  };
}

test.each([
  [410, 'gone'],
  [500, 'failing'],
])('after %d an endpoint is disabled once that can be recorded, and not before', async (status, because) => {
  const one = failing(status);
  // The queue makes the attempt again.
  await expect(one.attempt()).rejects.toThrow('full');
  expect(one.disabled()).toBeUndefined();
  one.takeRecords();
  await one.attempt();
  expect(one.disabled()).toBe(because);
  expect(one.audited.map(({ outcome }) => outcome)).toEqual(['begun', 'done']);
  expect(await one.attempt()).toEqual({ kind: 'dead' });
  expect(one.audited).toHaveLength(2);
});
