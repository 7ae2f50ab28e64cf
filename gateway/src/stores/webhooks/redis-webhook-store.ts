/** Webhook endpoints in Redis: one hash per account, field by id, in the slot of the account's other data. */
import type { WebhookEndpoint, WebhookStore } from '../../services/webhooks/endpoints';
import { accountKey } from '../account-key';
import { type RedisClient, unavailable } from '../redis';
import { replace, valuesOf } from '../replace';

const webhooksKey = (accountId: string) => accountKey(accountId, 'webhooks');

const add = `
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 'full' end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 'added'`;

const replaceField = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`;

export class RedisWebhookStore implements WebhookStore {
  constructor(private readonly redis: RedisClient) {}

  async addEndpoint(accountId: string, endpoint: WebhookEndpoint, most: number) {
    const values = [endpoint.id, JSON.stringify(endpoint), most];
    const outcome = await this.redis.eval(add, 1, webhooksKey(accountId), ...values).catch(unavailable);
    return outcome as 'added' | 'full';
  }

  async listEndpoints(accountId: string): Promise<WebhookEndpoint[]> {
    const all = await valuesOf<WebhookEndpoint>(this.redis, webhooksKey(accountId));
    return all.sort((a, b) => a.createdAt - b.createdAt || a.id.localeCompare(b.id));
  }

  async findEndpoint(accountId: string, id: string): Promise<WebhookEndpoint | undefined> {
    const text = await this.redis.hget(webhooksKey(accountId), id).catch(unavailable);
    return text === null ? undefined : (JSON.parse(text) as WebhookEndpoint);
  }

  updateEndpoint(
    accountId: string,
    id: string,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint | undefined> {
    const key = webhooksKey(accountId);
    return replace(
      () => this.redis.hget(key, id),
      (before, after) => this.redis.eval(replaceField, 1, key, id, before, after),
      change,
    );
  }

  async removeEndpoint(accountId: string, id: string): Promise<boolean> {
    return (await this.redis.hdel(webhooksKey(accountId), id).catch(unavailable)) === 1;
  }
}
