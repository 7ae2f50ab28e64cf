/** Verifies webhook signatures. A separate file, because it needs the crypto module of Node.js. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { EVENT_MAX_AGE_SECONDS, SIGNATURE_HEADER, TIMESTAMP_TOLERANCE_SECONDS } from './catalogue.ts';
import type { WebhookEvent } from './types.d.ts';

/** A webhook that the service did not send, or sent too long ago. Respond with status 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface WebhookVerification {
  /** whsec_ and base64, as shown in the console. */
  readonly secret: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Raw body, before any parsing. */
  readonly body: string | Uint8Array;
  /**
   * `standard` (the default) checks the Standard Webhooks headers, which sign id, time and body. `sha256` checks the
   * X-Presenza-Signature header, which signs the body only: a replay is rejected once the event is older than the last
   * attempt of a delivery, four days. Until then, recognize it by sessionId and eventType, not by the unsigned webhook-id.
   * The caller chooses the scheme, so that the sender of a request cannot choose the weaker one. During a secret rotation,
   * either scheme verifies with either secret, if the endpoint responds with 401 to a signature that it cannot verify.
   */
  readonly scheme?: 'standard' | 'sha256';
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Returns the event of a webhook with a valid signature.
 * @throws {WebhookVerificationError} if the signature is invalid, or the signed time is too far from the clock
 * @throws {SyntaxError} if the signed body is not JSON
 * @throws {TypeError} if the secret is not that of an endpoint
 */
export function verifyWebhook({
  scheme = 'standard',
  now = Date.now,
  ...request
}: WebhookVerification): WebhookEvent {
  const body = Buffer.from(request.body as Uint8Array);
  const header = headerReader(request.headers);
  const key = keyOf(request.secret);
  if (scheme === 'standard') verifyStandard(key, header, body, now() / 1000);
  else verifySha256(request.secret, header, body);
  const event: WebhookEvent = JSON.parse(body.toString('utf8'));
  if (scheme === 'sha256') verifyAge(event, now() / 1000);
  return event;
}

type HeaderReader = (name: string) => string;

/** The key of a secret. Anyone could sign with an empty or short one. */
function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length < 24) throw wrongSecret();
  return key;
}

/** HMAC-SHA256 over id, timestamp and body, joined by dots; the key is the decoded secret (standard-webhooks.md). */
function verifyStandard(key: Buffer, header: HeaderReader, body: Buffer, nowSeconds: number): void {
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!/^\d+$/.test(timestamp) || Math.abs(nowSeconds - Number(timestamp)) > TIMESTAMP_TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The timestamp of the webhook is too far from the clock.');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const signatures = header('webhook-signature').split(' ');
  if (!signatures.some((signature) => equal(signature, `v1,${expected}`))) throw mismatch();
}

/** HMAC-SHA256 over the body; the key is the whole secret as text. */
function verifySha256(secret: string, header: HeaderReader, body: Buffer): void {
  if (!secret.startsWith('whsec_')) throw wrongSecret();
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  if (!equal(header(SIGNATURE_HEADER), `sha256=${expected}`)) throw mismatch();
}

/** Checks the only time that a signature of the body covers. */
function verifyAge({ timestamp }: WebhookEvent, nowSeconds: number): void {
  const age = nowSeconds - Date.parse(timestamp) / 1000;
  if (!(age >= -TIMESTAMP_TOLERANCE_SECONDS && age <= EVENT_MAX_AGE_SECONDS))
    throw new WebhookVerificationError('The timestamp of the event is too far from the clock.');
}

/** Compares in constant time. */
function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function headerReader(headers: WebhookVerification['headers']): HeaderReader {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const values = new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = values.get(name);
    if (typeof value !== 'string') throw new WebhookVerificationError(`The header ${name} is missing.`);
    return value;
  };
}

const wrongSecret = () => new TypeError('The secret must be that of the endpoint: whsec_ and base64.');
const mismatch = () => new WebhookVerificationError('The signature of the webhook is invalid.');
