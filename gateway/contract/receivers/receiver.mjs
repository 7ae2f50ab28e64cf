// Receives webhooks with Node.js 18 or later and nothing else: WEBHOOK_SECRET=whsec_... node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret = '', PORT: port = '3000' } = process.env;
const toleranceSeconds = 300;
const maxBytes = 64 * 1024;

/** Compares in a time that does not tell how much is right. */
function same(given = '', expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @param {Buffer} body as it was received, before any parsing */
function isGenuine(headers, body) {
  // The key is the whole secret as text, whsec_ included.
  const simple = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  // This signature covers id and time as well. Its key is what the base64 after whsec_ stands for.
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': list = '' } = headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  const signed = list.split(' ').some((one) => same(one, `v1,${hmac}`));
  const fresh = /^\d+$/.test(time) && Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds;
  return same(headers['x-presenza-signature'], simple) && signed && fresh;
}

function handle(event, id) {
  // The same event may come more than once: remember the ids that you have handled.
  console.log(id, event.eventType, event.sessionId, event.result ?? '');
}

async function answer(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) return [413, { error: 'Payload too large' }];
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  if (body.length === 0) return [400, { error: 'Missing payload' }];
  if (!isGenuine(request.headers, body)) return [401, { error: 'Invalid signature' }];
  let event;
  try {
    event = JSON.parse(body.toString('utf8'));
  } catch {
    return [400, { error: 'Invalid JSON' }];
  }
  handle(event, request.headers['webhook-id']);
  return [200, { status: 'received' }];
}

const server = createServer(async (request, response) => {
  const [status, body] = await answer(request).catch(() => [500, { error: 'Internal error' }]);
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(port), () => console.log(`listening on ${server.address().port}`));
