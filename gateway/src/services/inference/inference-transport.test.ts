import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { InferenceTransport } from './inference-transport';

test('attempts to connect that take long are given up as well, before the deadline', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  // Each look at the clock is as long after the one before as an attempt that gets no reply takes.
  let ms = 0;
  let looks = 0;
  const transport = new InferenceTransport(`http://127.0.0.1:${port}`, () => {
    looks += 1;
    ms += 2_025;
    return ms;
  });
  const { signal } = new AbortController();
  await expect(transport.exchange({ method: 'GET', path: '/', signal })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  });
  expect(looks).toBeLessThanOrEqual(3);
  transport.close();
});
