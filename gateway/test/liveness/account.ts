/** Accounts with an API key and a webhook endpoint, for tests with gateway processes. */
import type { Redis } from 'ioredis';
import { KeyService } from '../../src/services/keys/keys';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { WebhookService, webhookVault } from '../../src/services/webhooks/endpoints';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { RedisWebhookStore } from '../../src/stores/webhooks/redis-webhook-store';
import { keySecret } from '../services';

export interface WebhookAccount {
  readonly accountId: string;
  readonly apiKey: string;
  /** Signs the events of the endpoint. */
  readonly secret: string;
}

export async function newWebhookAccount(
  redis: Redis,
  url: string,
  events: readonly string[],
): Promise<WebhookAccount> {
  const accounts = new RedisKeyStore(redis);
  const keys = new KeyService(accounts, keySecret);
  const { id: accountId } = await keys.createAccount('Shop', 'business');
  await keys.updateAccount(accountId, { localWebhooks: true });
  const { apiKey } = await keys.createKey(accountId, 'live');
  const webhooks = new WebhookService({
    store: new RedisWebhookStore(redis),
    log: new RedisDeliveryLog(redis),
    accounts,
    vault: webhookVault(keySecret),
    addresses: new AddressGuard({}),
  });
  const { secret } = await webhooks.create(accountId, { url, events, type: 'async' });
  return { accountId, apiKey, secret };
}
