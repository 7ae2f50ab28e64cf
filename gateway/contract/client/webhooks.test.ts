// Known values: the example headers of openapi.json, which belong to the session.completed example.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWebhook, type WebhookVerification, WebhookVerificationError } from './webhooks';

const read = (path: string) => JSON.parse(readFileSync(join(__dirname, '..', path), 'utf8'));
const { parameters } = read('openapi.json').components;
const event = read('examples/webhook-event--session-completed.json');
const body = JSON.stringify(event);
const names = ['X-Presenza-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const headers: Record<string, string> = Object.fromEntries(names.map((n) => [n, parameters[n].example]));
const secret = /secret (whsec_\S+),/.exec(parameters['X-Presenza-Signature'].description)![1]!;
const sentAt = 1000 * Number(headers['webhook-timestamp']);

const verify = (changes: Partial<WebhookVerification> = {}) =>
  verifyWebhook({ secret, headers, body, now: () => sentAt, ...changes });
const schemes = [['standard'], ['sha256']] as const;

describe.each(schemes)('%s', (scheme) => {
  test('the documented example verifies, for every type of headers and body', () => {
    expect(verify({ scheme })).toEqual(event);
    expect(verify({ scheme, body: new TextEncoder().encode(body) })).toEqual(event);
    expect(verify({ scheme, headers: new Headers(headers) })).toEqual(event);
    const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    expect(verify({ scheme, headers: Object.fromEntries(lowerCase) })).toEqual(event);
  });

  test.each([
    ['another body', { body: `${body} ` }],
    ['another secret', { secret: `${secret.slice(0, -2)}AA` }],
    ['no headers', { headers: {} }],
    [
      'a signature of another length',
      { headers: { ...headers, [names[0]!]: 'sha256=', [names[3]!]: 'v1,' } },
    ],
  ])('%s is refused', (_, changes) => {
    expect(() => verify({ scheme, ...changes })).toThrow(WebhookVerificationError);
  });
});

describe('standard', () => {
  test.each([-300, 0, 300])('a clock %d seconds off is accepted', (seconds) => {
    expect(verify({ now: () => sentAt + 1000 * seconds })).toEqual(event);
  });

  test.each([-301, 301])('a clock %d seconds off is rejected', (seconds) => {
    expect(() => verify({ now: () => sentAt + 1000 * seconds })).toThrow(/too far from the clock/);
  });

  test.each(['', 'whsec_', 'whsec_AAAA'])(
    'refuses the secret "%s", with which anyone could sign',
    (short) => {
      for (const scheme of ['standard', 'sha256'] as const) {
        expect(() => verify({ secret: short, scheme })).toThrow(TypeError);
      }
    },
  );

  test('one of several signatures is enough during a secret rotation', () => {
    const signature = `v1,${'A'.repeat(43)}= ${headers['webhook-signature']}`;
    expect(verify({ headers: { ...headers, 'webhook-signature': signature } })).toEqual(event);
  });

  test('id and timestamp are signed too', () => {
    for (const change of [{ 'webhook-id': 'msg_other' }, { 'webhook-timestamp': String(sentAt / 1000 + 1) }])
      expect(() => verify({ headers: { ...headers, ...change } })).toThrow(
        /signature of the webhook is invalid/,
      );
    expect(() => verify({ headers: { ...headers, 'webhook-timestamp': 'NaN' } })).toThrow(/clock/);
  });

  test('the other signature does not replace a missing one', () => {
    const { 'X-Presenza-Signature': simple } = headers;
    expect(() => verify({ headers: { 'X-Presenza-Signature': simple } })).toThrow(/webhook-id is missing/);
  });
});

describe('sha256', () => {
  const happenedAt = Date.parse(event.timestamp);
  const at = (seconds: number) => () => verify({ scheme: 'sha256', now: () => happenedAt + 1000 * seconds });

  test.each([-300, 0, 345_600])('an event that happened %d seconds ago is accepted', (seconds) => {
    expect(at(seconds)()).toEqual(event);
  });

  test.each([-301, 345_601, 1e9])(
    'a replay of an event that happened %d seconds ago is rejected, whatever its unsigned headers say',
    (seconds) => {
      expect(at(seconds)).toThrow(/too far from the clock/);
      const now = () => happenedAt + 1000 * seconds;
      const forged = { ...headers, 'webhook-timestamp': String(Math.floor(now() / 1000)) };
      expect(() => verify({ scheme: 'sha256', now, headers: forged })).toThrow(/too far from the clock/);
    },
  );

  test('a signed body without a time is rejected', () => {
    const signature = createHmac('sha256', secret).update('{}').digest('hex');
    const signed = { body: '{}', headers: { 'X-Presenza-Signature': `sha256=${signature}` } };
    expect(() => verify({ scheme: 'sha256', ...signed })).toThrow(WebhookVerificationError);
  });
});
