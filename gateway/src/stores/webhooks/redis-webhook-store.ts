/** Webhook endpoints in Redis: one hash per account, with a field per id. */
import type { WebhookEndpoint, WebhookStore } from '../../services/webhooks/endpoints';
import { accountKey } from '../account-key';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';
import { replace, valuesOf } from '../replace';

const webhooksKey = (accountId: string) => accountKey(accountId, 'webhooks');

const addScript = LuaScript.load<'endpoints', 'id' | 'endpoint' | 'limit'>('webhooks/add-endpoint');
const replaceScript = LuaScript.load<'endpoints', 'id' | 'before' | 'after'>('webhooks/replace-endpoint');

export class RedisWebhookStore implements WebhookStore {
  constructor(private readonly redis: RedisClient) {}

  async addEndpoint(accountId: string, endpoint: WebhookEndpoint, limit: number) {
    const keys = { endpoints: webhooksKey(accountId) };
    const args = { id: endpoint.id, endpoint: JSON.stringify(endpoint), limit };
    const outcome = await addScript.run(this.redis, keys, args).catch(unavailable);
    return outcome as 'added' | 'known' | 'full';
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
      (before, after) => replaceScript.run(this.redis, { endpoints: key }, { id, before, after }),
      change,
    );
  }

  async removeEndpoint(accountId: string, id: string): Promise<boolean> {
    return (await this.redis.hdel(webhooksKey(accountId), id).catch(unavailable)) === 1;
  }
}
