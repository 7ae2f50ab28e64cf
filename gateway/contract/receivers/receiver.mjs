// Receives webhooks with Node.js 18 or later and no dependencies: WEBHOOK_SECRET=whsec_... node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret = '', WITH_REFERENCE, PORT: port = '3000' } = process.env;
/** Take this from your own records for each session. Here, one setting applies to all sessions. */
const withReference = WITH_REFERENCE === 'true';
const toleranceSeconds = 300;
const maxBytes = 64 * 1024;

/** The decoded base64 after whsec_. With an empty key, anyone could sign. */
const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
if (key.length < 24) throw new Error('WEBHOOK_SECRET must be the secret of the endpoint: whsec_...');

/** Compares in constant time. */
function same(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @param {Buffer} body raw bytes, before any parsing */
function isGenuine(headers, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '', 'webhook-signature': list = '' } = headers;
  const hmac = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  // During a secret rotation there are several signatures. One valid signature is enough.
  const signed = list.split(' ').some((signature) => same(signature, `v1,${hmac}`));
  const fresh = /^\d+$/.test(time) && Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds;
  return signed && fresh;
}

/** True if the user is live and, with a reference image, matches it. */
function isVerified({ result, match }, withReference) {
  return result?.isLive === true && (match?.isMatch === true || (!withReference && !match));
}

function handle(event, id) {
  // An event may arrive more than once: store the ids that you have handled.
  const decision = isVerified(event, withReference) ? 'verified' : 'not verified';
  console.log(id, event.eventType, event.sessionId, decision);
}

async function respond(request) {
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
  const [status, body] = await respond(request).catch(() => [500, { error: 'Internal error' }]);
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(port), () => console.log(`listening on ${server.address().port}`));
