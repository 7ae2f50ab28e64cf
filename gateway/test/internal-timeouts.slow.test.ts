/**
 * The internal ports disconnect slow clients as soon as the public one does.
 *
 * Slow: it waits for the timeout of headers, 10 s.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { bounds } from '@presenza/contract/bounds.json';
import { freePort, startGateway, startRedis } from '../harness/index.mjs';
import { keySecret } from './services';
import { sharedTierUrl } from './shared-tier';
import { adminToken } from './test-gateway';

/** Connects, sends half of a head, and returns the milliseconds until the server closes the connection. */
async function patienceOf(url: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  const begin = performance.now();
  socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n');
  await once(socket, 'close');
  return performance.now() - begin;
}

test('a client that is slow with its headers is disconnected on every port', async () => {
  const redis = await startRedis();
  const adminPort = await freePort();
  const gateway = await startGateway({
    REDIS_URL: redis.url,
    INFERENCE_URL: sharedTierUrl(),
    KEY_SECRET: keySecret,
    ADMIN_TOKEN: adminToken,
    GATEWAY_ADMIN_PORT: String(adminPort),
  });
  const admin = `http://127.0.0.1:${adminPort}`;
  try {
    // Every port closes it before Node's own timeout of 60 s; a busy machine only makes it later than 10 s.
    const all = [gateway.url, gateway.operationsUrl, admin, sharedTierUrl()].map(patienceOf);
    for (const ms of await Promise.all(all)) {
      expect(ms).toBeGreaterThan(900 * bounds.headersSeconds.value);
      expect(ms).toBeLessThan(55_000);
    }
  } finally {
    await gateway.stop();
    await redis.stop();
  }
});
