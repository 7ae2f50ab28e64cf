// server.mjs, Node.js 18 or later: API_URL, API_KEY and WEBHOOK_SECRET come from the environment.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { API_URL, API_KEY, WEBHOOK_SECRET = '', REFERENCE_PHOTO, PORT = '3000' } = process.env;
const { RETURN_URL = 'https://app.example.com/check-done' } = process.env;
const maxBytes = 64 * 1024;
const toleranceSeconds = 300;
/** Checks by session id. Use your database in production: this map is lost on restart. */
const checks = new Map();

if (!API_URL || !API_KEY) stop('Set API_URL and API_KEY.');
/** The decoded base64 after whsec_. With an empty key, anyone could sign. */
const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
if (key.length < 24) stop('WEBHOOK_SECRET must be the secret of the endpoint: whsec_...');

function stop(reason) {
  console.error(reason);
  process.exit(1);
}

async function createCheck(userId) {
  // Use the photo of this user from your records. Without a reference image, the check verifies that the
  // user is live, but not who they are.
  const photo = REFERENCE_PHOTO && `data:image/jpeg;base64,${await readFile(REFERENCE_PHOTO, 'base64')}`;
  const response = await fetch(`${API_URL}/liveness`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ imageToCompare: photo, metadata: { userId }, returnUrl: RETURN_URL }),
    signal: AbortSignal.timeout(10_000),
  });
  const { success, data, error, requestId } = await response.json();
  if (!success) throw new Error(`${error.code}: ${error.message} (${requestId})`);
  checks.set(data.sessionId, { userId, withReference: photo !== undefined, status: 'pending' });
  return { sessionId: data.sessionId, verificationUrl: data.verificationUrl };
}

/** @param body raw bytes, before any parsing */
function isGenuine(body, headers) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  const hmac = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${hmac}`);
  // During a secret rotation there are several signatures. One valid signature is enough.
  const isSigned = signatures.split(' ').some((one) => {
    const given = Buffer.from(one);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned && Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds;
}

/** True if the user is live and, with a reference image, matches it. */
function isVerified({ result, match }, withReference) {
  return result?.isLive === true && (match?.isMatch === true || (!withReference && !match));
}

/** Checks pass only here. */
function receive(event) {
  const check = checks.get(event.sessionId);
  // An event may arrive twice. The first result is final.
  if (check?.status !== 'pending') return;
  if (event.eventType === 'session.completed') {
    check.status = isVerified(event, check.withReference) ? 'passed' : 'failed';
  }
  if (event.eventType === 'session.failed') check.status = 'failed';
  if (event.eventType === 'session.cancelled') check.status = 'cancelled';
  if (event.eventType === 'session.expired') check.status = 'expired';
}

/** The raw body, or undefined if it is too large. */
async function read(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The event, or undefined if the body is not JSON. */
function parse(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function startCheck(userId) {
  try {
    return [200, await createCheck(userId)];
  } catch (error) {
    console.error(`The check could not be started: ${error.cause?.message ?? error.message}`);
    return [500, { error: 'The check could not be started.' }];
  }
}

async function receiveWebhook(request) {
  const body = await read(request);
  if (!body) return [413, { error: 'Payload too large' }];
  if (body.length === 0) return [400, { error: 'Missing payload' }];
  if (!isGenuine(body, request.headers)) return [401, { error: 'Invalid signature' }];
  const event = parse(body);
  if (!event) return [400, { error: 'Invalid JSON' }];
  receive(event);
  return [200, { status: 'received' }];
}

async function handle(request) {
  const { method, url } = request;
  // Get the user from your own authentication.
  const userId = 'user-4711';
  if (method === 'POST' && url === '/checks') return startCheck(userId);
  if (method === 'GET' && url.startsWith('/checks/')) {
    const check = checks.get(url.slice('/checks/'.length));
    return [200, { status: check?.userId === userId ? check.status : 'unknown' }];
  }
  if (method === 'POST' && url === '/webhooks') return receiveWebhook(request);
  return [404, { error: 'Not found' }];
}

createServer(async (request, response) => {
  const [status, body] = await handle(request).catch((error) => {
    console.error(error.message);
    return [500, { error: 'Internal error' }];
  });
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}).listen(Number(PORT), () => console.log(`listening on ${PORT}`));
