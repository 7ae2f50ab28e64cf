import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RetryingClient } from './client.mjs';

test('the client retries after a response that is no JSON', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(requests === 1 ? '<html>Bad Gateway</html>' : '{"data":{"faceCount":1}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new RetryingClient([`http://127.0.0.1:${(server.address() as AddressInfo).port}`], 'key');
  try {
    const operation = { key: 'a', path: '/detect', body: Buffer.from('{}'), products: ['faceDetection'] };
    const { attempts, succeeded } = await client.pursue(operation);
    expect(attempts.map(({ name, failed }) => [name, failed])).toEqual([
      ['SyntaxError', true],
      ['200', false],
    ]);
    expect(succeeded).toEqual([true]);
  } finally {
    client.close();
    server.closeAllConnections();
    server.close();
  }
});
