import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { InferenceTransport } from './inference-transport';

test('stops retrying slow connection attempts before the deadline', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  // Each reading of the clock is later by the duration of an attempt without a reply.
  let ms = 0;
  let readings = 0;
  const transport = new InferenceTransport(`http://127.0.0.1:${port}`, () => {
    readings += 1;
    ms += 2_025;
    return ms;
  });
  const { signal } = new AbortController();
  await expect(transport.exchange({ method: 'GET', path: '/', signal })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(readings).toBeLessThanOrEqual(3);
  transport.close();
});
