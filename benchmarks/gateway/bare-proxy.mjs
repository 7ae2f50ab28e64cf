/**
 * What a request's way costs by itself: reads a body, asks Redis for nothing, sends the body on, asks Redis for nothing
 * again and answers. No key, no check, no count: the hops between the processes are all there is.
 */
import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { Pool } from 'undici';

const redis = new Redis(/** @type {string} */ (process.env.REDIS_URL));
const inference = new Pool(/** @type {string} */ (process.env.INFERENCE_URL));

const server = createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  await redis.ping();
  const reply = await inference.request({ method: 'POST', path: '/', body: Buffer.concat(chunks) });
  const data = await reply.body.json();
  await redis.ping();
  const body = JSON.stringify({ success: true, data });
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  res.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${port}` }));
});
