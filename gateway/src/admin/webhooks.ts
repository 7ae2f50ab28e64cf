import limits from '@presenza/contract/limits.json';
import { OperatorError } from '../errors';
import {
  endpointModes,
  failureChoices,
  type WebhookSettings,
  webhookTypes,
} from '../services/webhooks/endpoints';
import { accountEventIds, eventIds } from '../services/webhooks/events';
import { endpointView, withSecret } from '../services/webhooks/views';
import { account, type Operation, operation, type Property, webhook } from './operation';

const allEventIds = [...eventIds, ...accountEventIds];
const settings = {
  url: {
    type: 'string',
    maxLength: limits.webhooks.maxUrlLength,
    // The URLs of many receivers contain a secret token.
    writeOnly: true,
    description: 'Where events are sent: https, or http to localhost',
  },
  events: {
    type: 'array',
    items: { enum: allEventIds },
    minItems: 1,
    maxItems: allEventIds.length,
    uniqueItems: true,
    description: `Which events: ${allEventIds.join(', ')}`,
  },
  type: {
    type: 'string',
    enum: webhookTypes,
    description: 'sync waits for the receiver’s decision, on plans that include it',
  },
  onFailure: {
    type: 'string',
    enum: failureChoices,
    description:
      'With sync: the decision about a session if the endpoint fails to give one; reject refuses it',
  },
  mode: {
    type: 'string',
    enum: endpointModes,
    description: 'The sessions whose events it gets: those of live keys, of test keys, or both',
  },
} satisfies Record<string, Property>;

interface Named {
  readonly account: string;
  readonly webhook: string;
}

export const webhookOperations: readonly Operation[] = [
  operation<{ account: string } & WebhookSettings>({
    id: 'webhooks create',
    summary: 'Makes a webhook endpoint and shows its secret, this once',
    http: ['POST', '/accounts/:account/webhooks'],
    properties: {
      account,
      ...settings,
      events: { ...settings.events, default: eventIds },
      type: { ...settings.type, default: 'async' },
      mode: { ...settings.mode, default: 'both' },
    },
    required: ['account', 'url'],
    changes: true,
    shows: 'webhook',
    sets: (_services, { account: _, ...values }) => ({ kind: 'webhook', values }),
    run: async ({ webhooks }, { account, ...wanted }, { memberId }) =>
      withSecret(await webhooks.create(account, wanted, { createdBy: memberId })),
  }),
  operation<{ account: string }>({
    id: 'webhooks list',
    summary: 'Lists the webhook endpoints of an account',
    http: ['GET', '/accounts/:account/webhooks'],
    properties: { account },
    required: ['account'],
    changes: false,
    shows: 'webhook',
    run: async ({ webhooks }, { account }) => (await webhooks.list(account)).map(endpointView),
  }),
  operation<Named & Partial<WebhookSettings>>({
    id: 'webhooks update',
    summary: 'Changes a webhook endpoint',
    http: ['PATCH', '/accounts/:account/webhooks/:webhook'],
    properties: { account, webhook, ...settings },
    required: ['account', 'webhook'],
    changes: true,
    shows: 'webhook',
    sets: (_services, { account: _, webhook: __, ...values }) => ({ kind: 'webhook', values }),
    run: async ({ webhooks }, { account, webhook, ...change }, { memberId }) => {
      if (Object.keys(change).length === 0) {
        throw new OperatorError('There is nothing to change: give a url, events, a type or a mode');
      }
      return endpointView(await webhooks.update(account, webhook, change, memberId));
    },
  }),
  operation<Named>({
    id: 'webhooks delete',
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
  operation<Named & { graceSeconds: number }>({
    id: 'webhooks roll-secret',
    summary:
      'Gives a webhook endpoint a new secret and shows it once; receivers verify with the old or the new one until the grace period ends',
    http: ['POST', '/accounts/:account/webhooks/:webhook/roll-secret'],
    properties: {
      account,
      webhook,
      graceSeconds: {
        type: 'integer',
        minimum: 0,
        maximum: limits.webhooks.maxSecretGraceSeconds,
        default: limits.webhooks.secretGraceSeconds,
        description:
          'How long deliveries still verify with the earlier secrets; 0 ends all of them at once, for one that leaked',
      },
    },
    required: ['account', 'webhook'],
    changes: true,
    shows: 'webhook',
    // Its new secret decides the sessions of a synchronous endpoint.
    sets: async ({ webhooks }, { account, webhook }) => {
      const values = await webhooks.find(account, webhook);
      return { kind: 'webhook', values };
    },
    run: async ({ webhooks }, { account, webhook, graceSeconds }, { memberId }) =>
      withSecret(await webhooks.rollSecret(account, webhook, graceSeconds, memberId)),
  }),
  operation<Named>({
    id: 'webhooks enable',
    summary: 'Sends events to a disabled webhook endpoint again; what it missed is for replay',
    http: ['POST', '/accounts/:account/webhooks/:webhook/enable'],
    properties: { account, webhook },
    required: ['account', 'webhook'],
    changes: true,
    shows: 'webhook',
    run: async ({ webhooks }, { account, webhook }) => endpointView(await webhooks.enable(account, webhook)),
  }),
  operation<Named>({
    id: 'webhooks disable',
    summary: 'Sends nothing more to a webhook endpoint, until it is enabled',
    http: ['POST', '/accounts/:account/webhooks/:webhook/disable'],
    properties: { account, webhook },
    required: ['account', 'webhook'],
    changes: true,
    shows: 'webhook',
    run: async ({ webhooks }, { account, webhook }) =>
      endpointView(await webhooks.disable(account, webhook, 'operator')),
  }),
];
