/** Signature headers, which let receivers verify the origin and the time of an event. */
import { createHmac } from 'node:crypto';
import brand from '@presenza/contract/brand.json';

/** Prefix of every secret, as in Standard Webhooks. */
export const secretPrefix = 'whsec_';

export interface Signed {
  /** Id of the event, the same on every attempt. */
  readonly eventId: string;
  /** Time of this attempt, in milliseconds since 1970. */
  readonly sentAt: number;
  /** The exact bytes of the request. */
  readonly body: Buffer;
  /** `whsec_` and base64. All sign in the Standard Webhooks headers, the first alone in X-Presenza-Signature. */
  readonly secrets: readonly [string, ...string[]];
}

/**
 * Two schemes side by side. The plain one, X-Presenza-Signature: HMAC-SHA256 over the body, in hex; its key is the whole
 * secret as UTF-8 text, `whsec_` included. The header has room for one digest, so one secret signs it. The Standard
 * Webhooks headers (standard-webhooks.md): HMAC-SHA256 over id, timestamp and body joined by dots, in base64; its key is
 * the decoded base64 after `whsec_`, with a signature for each secret.
 */
export function signatureHeaders({ eventId, sentAt, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / 1000));
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    [brand.signatureHeader]: `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}
