import limits from '@presenza/contract/limits.json';
import { Refusal } from '../services/refusal';
import {
  eventIds,
  type WebhookEndpoint,
  type WebhookSettings,
  type WithSecret,
  webhookTypes,
} from '../services/webhooks/endpoints';
import { account, isoTime, type Operation, operation, type Property, webhook } from './operation';

const settings = {
  url: {
    type: 'string',
    maxLength: limits.webhooks.maxUrlLength,
    // Many receivers are known by a token in their address.
    writeOnly: true,
    description: 'Where events are sent: https, or http to localhost',
  },
  events: {
    type: 'array',
    items: { enum: eventIds },
    minItems: 1,
    maxItems: eventIds.length,
    uniqueItems: true,
    description: `Which events: ${eventIds.join(', ')}`,
  },
  type: {
    type: 'string',
    enum: webhookTypes,
    description: 'sync waits for the receiver’s decision, on plans that include it',
  },
} satisfies Record<string, Property>;

const view = ({ id, url, events, type, createdAt }: WebhookEndpoint) => ({
  webhookId: id,
  url,
  events,
  type,
  createdAt: isoTime(createdAt),
});

const withSecret = ({ endpoint, secret }: WithSecret) => ({ ...view(endpoint), secret });

interface Named {
  readonly account: string;
  readonly webhook: string;
}

export const webhookOperations: readonly Operation[] = [
  operation<{ account: string } & WebhookSettings>({
    words: 'webhooks create',
    summary: 'Makes a webhook endpoint and shows its secret, this once',
    http: ['POST', '/accounts/:account/webhooks'],
    properties: {
      account,
      ...settings,
      events: { ...settings.events, default: eventIds },
      type: { ...settings.type, default: 'async' },
    },
    required: ['account', 'url'],
    changes: true,
    run: async ({ webhooks }, { account, ...wanted }) => withSecret(await webhooks.create(account, wanted)),
  }),
  operation<{ account: string }>({
    words: 'webhooks list',
    summary: 'Lists the webhook endpoints of an account',
    http: ['GET', '/accounts/:account/webhooks'],
    properties: { account },
    required: ['account'],
    changes: false,
    run: async ({ webhooks }, { account }) => (await webhooks.list(account)).map(view),
  }),
  operation<Named & Partial<WebhookSettings>>({
    words: 'webhooks update',
    summary: 'Changes a webhook endpoint',
    http: ['PATCH', '/accounts/:account/webhooks/:webhook'],
    properties: { account, webhook, ...settings },
    required: ['account', 'webhook'],
    changes: true,
    run: async ({ webhooks }, { account, webhook, ...change }) => {
      if (Object.keys(change).length === 0) {
        throw new Refusal('There is nothing to change: give a url, events or a type');
      }
      return view(await webhooks.update(account, webhook, change));
    },
  }),
  operation<Named>({
    words: 'webhooks delete',
    summary: 'Removes a webhook endpoint',
    http: ['DELETE', '/accounts/:account/webhooks/:webhook'],
    properties: { account, webhook },
    required: ['account', 'webhook'],
    changes: true,
    run: async ({ webhooks }, { account, webhook }) => {
      await webhooks.remove(account, webhook);
      return { deleted: webhook };
    },
  }),
  operation<Named>({
    words: 'webhooks roll-secret',
    summary: 'Gives a webhook endpoint a new secret at once and shows it, this once',
    http: ['POST', '/accounts/:account/webhooks/:webhook/roll-secret'],
    properties: { account, webhook },
    required: ['account', 'webhook'],
    changes: true,
    run: async ({ webhooks }, { account, webhook }) =>
      withSecret(await webhooks.rollSecret(account, webhook)),
  }),
];
