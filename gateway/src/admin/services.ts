import brand from '@presenza/contract/brand.json';
import { CategoryService } from '../services/categories';
import type { HttpInferenceClient } from '../services/inference/inference-client';
import { KeyService } from '../services/keys/keys';
import { Vault } from '../services/vault';
import { WebhookService } from '../services/webhooks/endpoints';
import type { RedisClient } from '../stores/redis';
import { RedisAuditLog } from '../stores/redis-audit-log';
import { RedisCategoryStore } from '../stores/redis-category-store';
import { RedisKeyStore } from '../stores/redis-key-store';
import { RedisUsage } from '../stores/redis-usage';
import { RedisWebhookStore } from '../stores/webhooks/redis-webhook-store';
import type { AdminServices } from './operation';

/** @param secret KEY_SECRET */
export function adminServices(
  redis: RedisClient,
  inference: HttpInferenceClient,
  secret: string,
): AdminServices {
  const accounts = new RedisKeyStore(redis);
  const vault = new Vault(secret, `${brand.slug} webhook secrets`);
  return {
    keys: new KeyService(accounts, secret),
    categories: new CategoryService({ store: new RedisCategoryStore(redis), accounts, inference }),
    webhooks: new WebhookService({ store: new RedisWebhookStore(redis), accounts, vault }),
    usage: new RedisUsage(redis),
    audit: new RedisAuditLog(redis),
  };
}
