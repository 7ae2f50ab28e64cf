/** The sweeper of a real gateway process expires a session that nobody finishes. */
import {
  type RunningGateway,
  type RunningServer,
  startGateway,
  startRedis,
  waitUntil,
} from '../../harness/index.mjs';
import { KeyService } from '../../src/services/keys/keys';
import { monthOf } from '../../src/services/metering/months';
import { sessionKeys } from '../../src/stores/liveness/keys';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { RedisUsage } from '../../src/stores/redis-usage';
import { keySecret } from '../services';

let server: RunningServer;
let redis: RedisClient;
let gateway: RunningGateway;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectRedis({ url: server.url, cluster: false }, () => {});
  gateway = await startGateway({
    REDIS_URL: server.url,
    KEY_SECRET: keySecret,
    VERIFY_URL: 'https://verify.example.com/check',
    LIVENESS_SESSION_SECONDS: '1',
  });
});
afterAll(async () => {
  await gateway.stop();
  redis.disconnect();
  await server.stop();
});

test('expires an idle session and refunds its unit', async () => {
  const keys = new KeyService(new RedisKeyStore(redis), keySecret);
  const { id: accountId } = await keys.createAccount('Tests', 'free');
  const { apiKey } = await keys.createKey(accountId, 'live');
  const headers = { authorization: `Bearer ${apiKey}` };
  const made = await fetch(`${gateway.url}/liveness`, { method: 'POST', headers });
  const { data } = (await made.json()) as { data: { sessionId: string; verificationUrl: string } };
  expect(data.verificationUrl).toMatch(/^https:\/\/verify\.example\.com\/check#[\w-]+$/);

  const { session } = sessionKeys({ accountId, sessionId: data.sessionId });
  const status = () => redis.hget(session, 'status');
  expect(await status()).toBe('created');
  const unit = async () =>
    (await new RedisUsage(redis).readMonth(accountId, 'live', monthOf(Date.now()))).reserved;
  expect(await unit()).toMatchObject({ livenessDetection: 1 });
  // The API would expire the session itself.
  await waitUntil('the sweep has expired the session', async () => (await status()) === 'expired');
  expect(await unit()).toMatchObject({ livenessDetection: 0 });
});
