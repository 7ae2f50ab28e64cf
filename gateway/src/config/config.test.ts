import limits from '@presenza/contract/limits.json';
import openapi from '@presenza/contract/openapi.json';
import { errorLinks, readConfig, requestLogUrl, sessionOrigins, trustedProxies } from '.';
import schema from './config.schema.json';

const KEY_SECRET = 'ab'.repeat(32);

test('defaults fit one machine', () => {
  expect(readConfig({ KEY_SECRET })).toMatchObject({ GATEWAY_PORT: 8080, GATEWAY_METRICS_PORT: 9180 });
  expect(readConfig({ KEY_SECRET, GATEWAY_HOST: '0.0.0.0' })).toMatchObject({
    GATEWAY_METRICS_HOST: '127.0.0.1',
    GATEWAY_ADMIN_HOST: '127.0.0.1',
  });
});

test('a missing secret stops the start', () => {
  expect(() => readConfig({})).toThrow('The environment variable KEY_SECRET must be set');
});

test.each([
  ['GATEWAY_PORT', '-1'],
  ['REDIS_URL', 'http://127.0.0.1'],
  ['INFERENCE_URL', 'nowhere'],
  ['INFERENCE_URL', 'http://'],
  ['INFERENCE_URL', 'http://127.0.0.1:99999'],
  ['REDIS_URL', 'redis://127.0.0.1:99999'],
  ['ADMIN_TOKEN', 'ab'.repeat(31)],
  ['KEY_SECRET', 'short'],
  ['KEY_SECRET', 'zz'],
  ['KEY_SECRET', 'a'.repeat(65)],
  ['GATEWAY_MAX_REQUESTS', '0'],
  ['GATEWAY_MAX_BODY_BYTES_IN_FLIGHT', '1000'],
  ['GATEWAY_DEADLINE_MS', 'soon'],
  ['VERIFY_URL', 'verify.example.com'],
  ['VERIFY_URL', 'https://verify.example.com/#page'],
  ['SITE_URL', 'https://example.com/?a=b'],
  ['REQUEST_LOG_URL', 'https://logs.example/search'],
  ['REQUEST_LOG_URL', 'https://logs.example/{requestId}/{requestId}'],
  ['REQUEST_LOG_URL', 'https://logs.example/{requestId}?q={tenant}'],
  ['REQUEST_LOG_URL', 'https://logs.example/{requestId}}'],
  ['REQUEST_LOG_URL', 'https://{requestId}.logs.example/'],
  ['REQUEST_LOG_URL', 'https://{requestId}@logs.example/'],
  ['REQUEST_LOG_URL', 'https://logs.example:{requestId}/'],
  ['REQUEST_LOG_URL', 'https://user:password@logs.example/{requestId}'],
  ['REQUEST_LOG_URL', 'javascript:alert(/{requestId}/)'],
  ['REQUEST_LOG_URL', 'logs.example/{requestId}'],
  ['REQUEST_LOG_URL', 'https://logs.example/a b/{requestId}'],
  ['SELF_SERVICE_PLANS', 'yes'],
  ['STRIPE_SECRET_KEY', 'pk_live_public'],
  ['STRIPE_WEBHOOK_SECRET', 'secret'],
  ['STRIPE_PRICES', 'basic'],
  ['STRIPE_PRICES', 'basic:price_1,'],
  ['GATEWAY_CORS_ORIGINS', '*'],
  ['GATEWAY_CORS_ORIGINS', 'https://app.example.com/'],
  ['GATEWAY_CORS_ORIGINS', 'https://*.example.com'],
  ['GATEWAY_CORS_ORIGINS', 'https://app.example.com,null'],
  ['LIVENESS_SESSION_SECONDS', '0'],
  ['LIVENESS_ATTEMPTS', '11'],
  ['LIVENESS_LOCKOUT_SECONDS', 'forever'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['GATEWAY_TRUST_PROXY', 'loopback'],
  ['GATEWAY_TRUST_PROXY', '10.0.0.0/8,proxy'],
  ['GATEWAY_TRUST_PROXY', '0'],
])('%s is named when it is wrong, and its value is not shown', (name, value) => {
  const read = () => readConfig({ KEY_SECRET, [name]: value });
  expect(read).toThrow(`The environment variable ${name} must`);
  expect(read).not.toThrow(value);
});

test.each([
  '',
  'https://logs.example/search?q={requestId}&from=now-1d',
  'http://127.0.0.1:5601/app#/requests/{requestId}',
  'https://logs.example?{requestId}',
])('REQUEST_LOG_URL may be "%s"', (url) => {
  expect(readConfig({ KEY_SECRET, REQUEST_LOG_URL: url }).REQUEST_LOG_URL).toBe(url);
});

test('schemes of URLs and origins are case-insensitive', () => {
  const config = readConfig({
    KEY_SECRET,
    REDIS_URL: 'REDISS://user:Pass@redis.example:6379',
    INFERENCE_URL: 'HTTP://inference:9100',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'Http://collector:4318',
    VERIFY_URL: 'HTTPS://a.example/Verify',
    CONSOLE_URL: 'Https://a.example/Console',
    SITE_URL: 'HTTPS://a.example',
    REQUEST_LOG_URL: 'HTTPS://logs.example/Search?q={requestId}',
    SMTP_URL: 'SMTPS://user:Pass@mail.example.com',
    MAIL_FROM: 'a@example.com',
    GATEWAY_CORS_ORIGINS: 'HTTPS://B.example,Capacitor://localhost',
  });
  expect(config).toMatchObject({
    REDIS_URL: 'rediss://user:Pass@redis.example:6379',
    INFERENCE_URL: 'http://inference:9100',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    VERIFY_URL: 'https://a.example/Verify',
    CONSOLE_URL: 'https://a.example/Console',
    SITE_URL: 'https://a.example',
    REQUEST_LOG_URL: 'https://logs.example/Search?q={requestId}',
    SMTP_URL: 'smtps://user:Pass@mail.example.com',
  });
  expect(sessionOrigins(config)).toEqual(['https://a.example', 'https://b.example', 'capacitor://localhost']);
});

test('a mail server needs a sender', () => {
  const SMTP_URL = 'smtps://user:password@mail.example.com';
  expect(() => readConfig({ KEY_SECRET, SMTP_URL })).toThrow(
    'The environment variable MAIL_FROM must be set',
  );
  expect(readConfig({ KEY_SECRET, SMTP_URL, MAIL_FROM: 'a@example.com' }).SMTP_URL).toBe(SMTP_URL);
});

test.each([
  [{}, 'http://127.0.0.1:8000/console/requests?requestId={requestId}'],
  [{ VERIFY_URL: 'https://a.example/verify' }, 'https://a.example/console/requests?requestId={requestId}'],
  [{ CONSOLE_URL: '' }, 'http://127.0.0.1:8000/console/requests?requestId={requestId}'],
  [{ CONSOLE_URL: 'https://a.example/c/' }, 'https://a.example/c/requests?requestId={requestId}'],
  [{ CONSOLE: 'off' }, undefined],
  [{ REQUEST_LOG_ENTRIES: '0' }, undefined],
  [{ CONSOLE: 'off', REQUEST_LOG_URL: 'https://b.example/{requestId}' }, 'https://b.example/{requestId}'],
])('with %j, errors link to %s', (env, url) => {
  expect(requestLogUrl(readConfig({ KEY_SECRET, ...env }))).toBe(url);
});

test.each([
  [{}, 'http://127.0.0.1:8000'],
  [{ VERIFY_URL: 'https://a.example/verify' }, 'https://a.example'],
  [{ CONSOLE_URL: 'http://localhost:8000/console/' }, 'http://localhost:8000'],
  [{ SITE_URL: 'https://a.example/', VERIFY_URL: 'https://a.example/verify' }, 'https://a.example'],
])('with %j, both links of an error lead to %s', (env, site) => {
  const links = errorLinks(readConfig({ KEY_SECRET, ...env }));
  expect(links.siteUrl).toBe(site);
  expect(new URL(links.requestLogUrl ?? '').origin).toBe(site);
});

test.each([
  ['', []],
  ['2', 2],
  ['10.0.0.0/8, 2001:db8::1', ['10.0.0.0/8', '2001:db8::1']],
])('the proxies %j', (text, proxies) => {
  expect(trustedProxies(readConfig({ KEY_SECRET, GATEWAY_TRUST_PROXY: text }).GATEWAY_TRUST_PROXY)).toEqual(
    proxies,
  );
});

test.each([
  [{}, ['http://127.0.0.1:8000', 'http://localhost:8000']],
  [{ VERIFY_URL: 'https://example.com/a/verify' }, ['https://example.com']],
  [
    { GATEWAY_CORS_ORIGINS: 'https://a.example.com, http://localhost:3000, capacitor://localhost' },
    [
      'http://127.0.0.1:8000',
      'http://localhost:8000',
      'https://a.example.com',
      'http://localhost:3000',
      'capacitor://localhost',
    ],
  ],
])('with %j, pages of %j make the calls about a session', (env, origins) => {
  expect(sessionOrigins(readConfig({ KEY_SECRET, ...env }))).toEqual(origins);
});

describe('the schema agrees with the contract', () => {
  const { properties } = schema;
  const { attempt, failedAttempts, ...liveness } = limits.liveness;

  test.each([
    ['LIVENESS_SESSION_SECONDS', { default: liveness.sessionLifetimeSeconds }],
    // A session stays readable for an hour after its end.
    ['LIVENESS_SESSION_SECONDS', { maximum: liveness.dataRetentionSeconds - 3_600 }],
    [
      'LIVENESS_ATTEMPTS',
      { default: liveness.attemptsPerSession, maximum: liveness.attemptStartsPerSession },
    ],
    ['LIVENESS_ATTEMPT_SECONDS', { default: attempt.timeoutSeconds }],
    ['LIVENESS_FAILURES', { default: failedAttempts.limit }],
    ['LIVENESS_FAILURE_SECONDS', { default: failedAttempts.windowSeconds }],
    ['LIVENESS_LOCKOUT_SECONDS', { default: failedAttempts.defaultLockoutSeconds }],
    ['LIVENESS_LOCKOUT_SECONDS', { maximum: liveness.dataRetentionSeconds }],
    ['WEBHOOK_DISABLE_AFTER_SECONDS', { default: limits.webhooks.disableAfterFailingSeconds }],
  ] as const)('%s: %j', (name, bounds) => {
    expect(properties[name]).toMatchObject(bounds);
  });

  test('the largest body of every operation finds room', () => {
    const sizes = Object.values(openapi.paths).map(
      (path) => (path as { post?: { 'x-max-body-bytes'?: number } }).post?.['x-max-body-bytes'] ?? 0,
    );
    expect(properties.GATEWAY_MAX_BODY_BYTES_IN_FLIGHT.minimum).toBe(Math.max(...sizes));
  });
});
