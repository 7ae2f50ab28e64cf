/**
 * Two replicas of the inference tier, one of which is killed under load: no request fails, and each is billed once.
 *
 * Slow: it kills one of several inference processes under load.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { freePort, type RunningServer, startGateway, startInference, startRedis } from '../harness/index.mjs';
import { KeyService } from '../src/services/keys/keys';
import { connectRedis } from '../src/stores/redis';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { keySecret } from './services';

const photo = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo/sample1.jpg');
const requests = 200;
const clients = 16;

const parts: RunningServer[] = [];
const folder = mkdtempSync(join(tmpdir(), 'presenza-replicas-'));
afterAll(async () => {
  await Promise.all(parts.map((part) => part.stop()));
  rmSync(folder, { recursive: true });
});

test('detections succeed although one of two replicas is killed', async () => {
  const port = String(await freePort());
  const replica = (address: string) =>
    startInference({
      INFERENCE_HOST: address,
      INFERENCE_PORT: port,
      INFERENCE_HOST_NAMES: 'replicas.test',
      INFERENCE_DEVICE: 'cpu',
    });
  const [store, victim, survivor] = await Promise.all([
    startRedis(),
    replica('127.0.0.1'),
    replica('127.0.0.2'),
  ]);
  parts.push(store, victim, survivor);
  const redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  const keys = new KeyService(new RedisKeyStore(redis), keySecret);
  const { id } = await keys.createAccount('One', 'business');
  const { apiKey } = await keys.createKey(id, 'test');
  redis.disconnect();
  const gateway = await startGateway({
    REDIS_URL: store.url,
    INFERENCE_URL: `http://replicas.test:${port}`,
    KEY_SECRET: keySecret,
    GATEWAY_JOURNAL: join(folder, 'journal'),
    NODE_OPTIONS: `--require=${join(__dirname, 'two-replicas.cjs')}`,
  });
  parts.unshift(gateway);

  const image = await sharp(readFileSync(photo))
    .extract({ left: 291, top: 330, width: 440, height: 330 })
    .toBuffer();
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'image/jpeg' };
  const outcomes: string[] = [];
  let sent = 0;
  let killed: Promise<unknown> | undefined;
  const client = async () => {
    while (sent < requests) {
      sent += 1;
      const response = await fetch(`${gateway.url}/detect`, {
        method: 'POST',
        headers,
        body: Uint8Array.from(image),
      });
      const { error } = (await response.json()) as { error?: { code: string; reason: string } };
      outcomes.push(error ? `${error.code} ${error.reason}` : 'success');
      if (outcomes.length === requests / 5) killed = victim.kill();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await killed;
  expect(outcomes.filter((outcome) => outcome !== 'success')).toEqual([]);
  expect(outcomes).toHaveLength(requests);

  const usage = await fetch(`${gateway.url}/usage`, { headers });
  expect(await usage.json()).toMatchObject({
    data: { productGroups: { imageAnalysis: { used: requests } } },
  });
});
