/** Webhook endpoints of the key's account and mode, and the log of their deliveries. */
import type { WebhookCreateRequest, WebhookFailurePolicy } from '@presenza/contract/client/types.d.ts';
import type { Router } from 'express';
import { ApiError } from '../../errors';
import type { Principal } from '../../services/keys/keys';
import { pageOf } from '../../services/pages';
import { maySet } from '../../services/rights/property-grants';
import { checkDeliveryId } from '../../services/webhooks/delivery-log';
import { isRemovableBy, isVisibleTo, type WebhookEndpoint } from '../../services/webhooks/endpoints';
import { eventIds } from '../../services/webhooks/events';
import { deliveryView, publicEndpointView, withSecret } from '../../services/webhooks/views';
import { maxBytesOf } from '../guards';
import { idempotencyKeyOf, markRepeat } from '../idempotency';
import { listOperation } from '../list-operation';
import { changeByKey, type ManagementServices } from '../management';
import { mount, type Operation } from '../route';

export function webhooksRoute(api: Router, services: ManagementServices): void {
  const webhook = '/webhooks/:webhookId';
  mount(api, '/webhooks', [listWebhooks(services), createWebhook(services)], services);
  mount(api, webhook, [deleteWebhook(services)], services);
  mount(api, `${webhook}/deliveries`, [listDeliveries(services)], services);
}

/** GET /webhooks: lists the endpoints. */
const listWebhooks = ({ management }: ManagementServices) =>
  listOperation('/webhooks', { operation: 'listWebhooks', manages: true }, async (principal, page) => {
    const { items, ...rest } = pageOf(await ownEndpoints(management, principal), page);
    return { items: items.map(publicEndpointView), ...rest };
  });

/** POST /webhooks: creates an endpoint and shows its secret, this once. */
const createWebhook = ({ management }: ManagementServices): Operation => ({
  method: 'post',
  policy: {
    operation: 'createWebhook',
    caller: 'key',
    manages: true,
    counted: true,
    body: { maxBytes: maxBytesOf('/webhooks'), forms: 'json', schema: 'webhook-create-request.json' },
  },
  handle: async (req, res) => {
    const principal = res.locals.principal as Principal;
    const { events = eventIds, type = 'async', ...others } = req.body as WebhookCreateRequest;
    const onFailure = type === 'sync' && { onFailure: failurePolicyOf(res.locals.apiVersion as string) };
    const settings = { ...onFailure, ...others, events, type, mode: principal.mode };
    if (!maySet('key', 'webhook', req.body)) throw new ApiError('PERMISSION_DENIED');
    const { createdBy, keyId: createdByKey } = principal;
    const source = { requestKey: idempotencyKeyOf(req, principal), createdBy, createdByKey };
    // The URLs of many receivers contain a secret token.
    const changes = { ...settings, url: 'not recorded' };
    const created = await changeByKey(
      management,
      principal,
      { operation: 'webhooks create', changes },
      () => management.webhooks.create(principal.accountId, settings, source),
      ({ endpoint }) => ({ webhookId: endpoint.id }),
    );
    if (created.isRepeat) markRepeat(res);
    res.json({ success: true, data: withSecret(created), requestId: res.locals.requestId });
  },
});

/** From this API version on, a synchronous endpoint that fails refuses sessions unless the request says otherwise. */
const refusesSince = '2026-11-30';

const failurePolicyOf = (apiVersion: string): WebhookFailurePolicy =>
  apiVersion >= refusesSince ? 'reject' : 'continue';

/** DELETE /webhooks/{webhookId}: removes an endpoint. */
const deleteWebhook = ({ management }: ManagementServices): Operation => ({
  method: 'delete',
  policy: { operation: 'deleteWebhook', caller: 'key', manages: true, counted: true },
  handle: async (req, res) => {
    const principal = res.locals.principal as Principal;
    const endpoint = await findOwn(management, principal, req.params.webhookId);
    if (!isRemovableBy(principal.mode, endpoint))
      throw new ApiError('PERMISSION_DENIED', { reason: 'liveEndpoint' });
    const { id: webhookId } = endpoint;
    const change = { operation: 'webhooks delete', ids: { webhook: webhookId } };
    const remove = () => management.webhooks.remove(principal.accountId, webhookId);
    await changeByKey(management, principal, change, remove);
    res.json({ success: true, data: { webhookId, deleted: true }, requestId: res.locals.requestId });
  },
});

/** GET /webhooks/{webhookId}/deliveries: lists the deliveries to an endpoint. */
const listDeliveries = ({ management }: ManagementServices) =>
  listOperation(
    '/webhooks/{webhookId}/deliveries',
    { operation: 'listWebhookDeliveries', manages: true },
    async (principal, page, { params }) => {
      if (page.after !== undefined) checkDeliveryId(page.after, 'cursor');
      const { accountId, mode } = principal;
      const { id: webhookId } = await findOwn(management, principal, params.webhookId);
      const { items, ...rest } = await management.deliveries.list(accountId, {
        ...page,
        webhookId,
        mode,
        ofSessions: true,
      });
      return { items: items.map(deliveryView), ...rest };
    },
  );

type Management = ManagementServices['management'];

const ownEndpoints = async ({ webhooks }: Management, { accountId, mode }: Principal) =>
  (await webhooks.list(accountId)).filter((endpoint) => isVisibleTo(mode, endpoint));

/** @throws ApiError NOT_FOUND */
async function findOwn(management: Management, principal: Principal, id: unknown): Promise<WebhookEndpoint> {
  const endpoint = (await ownEndpoints(management, principal)).find((endpoint) => endpoint.id === id);
  if (!endpoint) throw new ApiError('NOT_FOUND', { reason: 'webhook' });
  return endpoint;
}
