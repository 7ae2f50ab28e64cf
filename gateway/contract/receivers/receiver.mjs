// Receives webhooks with Node.js 18 or later and nothing else: WEBHOOK_SECRET=whsec_... node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret = '', WITH_REFERENCE, PORT: port = '3000' } = process.env;
/** Your records know which sessions were created with imageToCompare. Here one setting stands for all of them. */
const withReference = WITH_REFERENCE === 'true';
const toleranceSeconds = 300;
const maxBytes = 64 * 1024;

/** What the base64 after whsec_ stands for. With an empty key, anyone could sign. */
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
if (key.length < 24) throw new Error('WEBHOOK_SECRET must be the secret of the endpoint: whsec_...');

/** Compares in constant time. */
function same(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @param {Buffer} body as it was received, before any parsing */
function isGenuine(headers, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': list = '' } = headers;
  const hmac = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  // While the secret is rolled there are several signatures. One that is valid is enough.
  const signed = list.split(' ').some((one) => same(one, `v1,${hmac}`));
  const fresh = /^\d+$/.test(time) && Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds;
  return signed && fresh;
}

/** True for someone live who matches the reference image, if your backend gave one. */
function isVerified({ result, match }, withReference) {
  return result?.isLive === true && (match?.isMatch === true || (!withReference && !match));
}

function handle(event, id) {
  // The same event may arrive more than once: remember the ids that you have handled.
  const decision = isVerified(event, withReference) ? 'verified' : 'not verified';
  console.log(id, event.eventType, event.sessionId, decision);
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
