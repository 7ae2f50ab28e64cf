// Node.js 18 or later, without packages: node node/server.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { API_URL, API_KEY, WEBHOOK_SECRET = '', REFERENCE_PHOTO, TEST_OUTCOME, PORT = '3000' } = process.env;
const { RETURN_URL = `http://127.0.0.1:${PORT}/check-done.html` } = process.env;
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

// region create
async function createCheck(userId) {
  // Use the photo of this user from your records. Without a reference image, the check verifies that the
  // user is live, but not who they are.
  const photo = REFERENCE_PHOTO && `data:image/jpeg;base64,${await readFile(REFERENCE_PHOTO, 'base64')}`;
  const session = {
    imageToCompare: photo,
    metadata: { userId },
    returnUrl: RETURN_URL,
    testOutcome: TEST_OUTCOME, // with a test key only
  };
  const response = await fetch(`${API_URL}/liveness`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(session),
    signal: AbortSignal.timeout(10_000),
  });
  const { success, data, error, requestId } = await response.json();
  if (!success) throw new Error(`${error.code}: ${error.message} (${requestId})`);
  const { sessionId, verificationUrl, accessToken } = data;
  checks.set(sessionId, { userId, withReference: photo !== undefined, status: 'pending' });
  return { sessionId, verificationUrl, accessToken };
}
// endregion

// region verify
/** @param body raw bytes, before any parsing */
function isGenuine(body, headers) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  const hmac = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${hmac}`);
  // During a secret rotation there are several signatures. One valid signature is enough.
  const isSigned = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isSigned && Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds;
}
// endregion

// region decide
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
// endregion

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

/** The status and the body of the response, or undefined. */
async function handle(request, path) {
  // Get the user from your own authentication.
  const userId = 'user-4711';
  if (request.method === 'POST' && path === '/checks') return startCheck(userId);
  if (request.method === 'POST' && path === '/webhooks') return receiveWebhook(request);
  if (path.startsWith('/checks/')) {
    const check = checks.get(path.slice('/checks/'.length));
    return [200, { status: check?.userId === userId ? check.status : 'unknown' }];
  }
  return undefined;
}

const folder = new URL('../public/', import.meta.url);
const files = ['index.html', 'verify.js', 'check-done.html', 'check-done.js'];

createServer(async (request, response) => {
  try {
    const path = request.url.split('?')[0];
    const file = path === '/' ? 'index.html' : path.slice(1);
    if (request.method === 'GET' && files.includes(file)) {
      const type = file.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(200, { 'Content-Type': type }).end(await readFile(new URL(file, folder)));
      return;
    }
    const [status, body] = (await handle(request, path)) ?? [404, { error: 'Not found' }];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  } catch (error) {
    console.error(error.message);
    response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"Internal error"}');
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${PORT}`));
