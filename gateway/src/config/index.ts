/** Configuration of the gateway: read from the environment once, checked, frozen. */
import limits from '@presenza/contract/limits.json';
import openapi from '@presenza/contract/openapi.json';
import Ajv from 'ajv';
import { bounds } from '../bounds';
import { isRange } from '../services/keys/addresses';

export interface Config {
  /** Any value but `production` also checks responses against the contract. */
  readonly NODE_ENV: 'production' | 'development' | 'test';
  readonly GATEWAY_HOST: string;
  readonly GATEWAY_PORT: number;
  /** Metrics and health for operators, separate from the public port. */
  readonly GATEWAY_METRICS_PORT: number;
  /** Address of the metrics port; never a public one. */
  readonly GATEWAY_METRICS_HOST: string;
  /** Port of the operators' API, which listens only if ADMIN_TOKEN is set. */
  readonly GATEWAY_ADMIN_PORT: number;
  /** Address of the operators' API; never a public one. */
  readonly GATEWAY_ADMIN_HOST: string;
  /** Bearer token of the operators' API, 32 bytes or more as hex. Empty: the API is off. */
  readonly ADMIN_TOKEN: string;
  readonly REDIS_URL: string;
  /** Whether REDIS_URL is one node of a Redis Cluster. */
  readonly REDIS_CLUSTER: boolean;
  readonly INFERENCE_URL: string;
  /** Secret under which API keys are hashed, 32 bytes or more as hex. Changing it makes every key invalid. */
  readonly KEY_SECRET: string;
  /** Requests in flight; above this number the gateway responds with 503 at once. */
  readonly GATEWAY_MAX_REQUESTS: number;
  /**
   * Connections that the API has open at once; it closes any more at once. An idle connection takes about 20 KB and
   * one file descriptor: keep the number some hundred below the process's limit of descriptors.
   */
  readonly GATEWAY_MAX_CONNECTIONS: number;
  /** Bytes of the bodies of the requests in flight. Read and decoded, a body takes about twice its size. */
  readonly GATEWAY_MAX_BODY_BYTES_IN_FLIGHT: number;
  /** Time for a response once the request has been read. */
  readonly GATEWAY_DEADLINE_MS: number;
  /**
   * Time for requests in flight to finish after SIGTERM. By default as long as the longest may take, two minutes at
   * most. The supervisor must wait longer than that before it kills the process.
   */
  readonly GATEWAY_DRAIN_MS?: number;
  /** Folder of the journal that bills usage while Redis is unavailable. Each gateway needs its own, on a lasting disk. */
  readonly GATEWAY_JOURNAL: string;
  /** Number of gateways. While Redis is unavailable, each allows its share of an account's rate limit. */
  readonly GATEWAY_REPLICAS: number;
  /** Address of a trace collector that accepts OTLP over HTTP. Absent: no traces. */
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_SERVICE_NAME: string;
  /**
   * Selects which requests are traced. By default all, except where the caller's trace context says otherwise. On a
   * public API, `traceidratio` ignores what callers ask for. The SDK reads this variable itself.
   */
  readonly OTEL_TRACES_SAMPLER?: string;
  /** Share of requests that a ratio traces, 0 to 1. */
  readonly OTEL_TRACES_SAMPLER_ARG?: number;
  /**
   * Reverse proxies whose X-Forwarded-For the gateway trusts: their addresses and ranges, separated by commas, or
   * their number. Empty: none, and the peer of the connection is the client.
   */
  readonly GATEWAY_TRUST_PROXY: string;
  /** Address of the hosted page of liveness checks; the session's access token becomes its fragment. */
  readonly VERIFY_URL: string;
  /** More origins whose pages may call the API about a session, separated by commas. */
  readonly GATEWAY_CORS_ORIGINS: string;
  /** How long a liveness session may take. */
  readonly LIVENESS_SESSION_SECONDS: number;
  /** Attempts that one session may have judged. */
  readonly LIVENESS_ATTEMPTS: number;
  /** How long an attempt takes frames, in seconds. */
  readonly LIVENESS_ATTEMPT_SECONDS: number;
  /** Failed checks of one device within LIVENESS_FAILURE_SECONDS that lock it out; an address may have ten times as many. */
  readonly LIVENESS_FAILURES: number;
  readonly LIVENESS_FAILURE_SECONDS: number;
  /** How long a device stays locked out. */
  readonly LIVENESS_LOCKOUT_SECONDS: number;
  /** Whether webhook endpoints may be on this machine. Default: unless NODE_ENV is `production`. */
  readonly WEBHOOK_ALLOW_LOOPBACK: boolean;
  /**
   * Private addresses and ranges that webhooks may be sent to, separated by commas, for receivers in the operator's
   * own network.
   */
  readonly WEBHOOK_ALLOWED_ADDRESSES: string;
  /** A webhook endpoint is disabled after it has failed for so long without a success. */
  readonly WEBHOOK_DISABLE_AFTER_SECONDS: number;
  /** Another gateway repeats a delivery after its own has been silent for so long. */
  readonly WEBHOOK_TAKEOVER_SECONDS: number;
  readonly LOG_LEVEL: string;
}

/** The setting must admit the largest body of every operation, or some requests could never succeed. */
const largestBody = Math.max(
  ...Object.values(openapi.paths).map((path) => {
    const { post } = path as { post?: { 'x-max-body-bytes'?: number } };
    return post?.['x-max-body-bytes'] ?? 0;
  }),
);

const schema = {
  type: 'object',
  required: ['KEY_SECRET'],
  additionalProperties: false,
  properties: {
    NODE_ENV: { enum: ['production', 'development', 'test'], default: 'production' },
    GATEWAY_HOST: { type: 'string', default: '127.0.0.1' },
    GATEWAY_PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 8080 },
    GATEWAY_METRICS_PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 9180 },
    GATEWAY_METRICS_HOST: { type: 'string', default: '127.0.0.1' },
    GATEWAY_ADMIN_HOST: { type: 'string', default: '127.0.0.1' },
    GATEWAY_ADMIN_PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 9181 },
    ADMIN_TOKEN: { type: 'string', pattern: '^(?:(?:[0-9a-fA-F]{2}){32,})?$', default: '' },
    REDIS_URL: { type: 'string', pattern: '^rediss?://', format: 'url', default: 'redis://127.0.0.1:6379' },
    REDIS_CLUSTER: { type: 'boolean', default: false },
    INFERENCE_URL: { type: 'string', pattern: '^http://', format: 'url', default: 'http://127.0.0.1:9100' },
    KEY_SECRET: { type: 'string', pattern: '^(?:[0-9a-fA-F]{2}){32,}$' },
    GATEWAY_MAX_REQUESTS: { type: 'integer', minimum: 1, default: bounds.requestsInFlight },
    GATEWAY_MAX_CONNECTIONS: { type: 'integer', minimum: 1, default: bounds.connections },
    GATEWAY_MAX_BODY_BYTES_IN_FLIGHT: {
      type: 'integer',
      minimum: largestBody,
      default: bounds.bodyBytesInFlight,
    },
    GATEWAY_DEADLINE_MS: { type: 'integer', minimum: 100, maximum: 600_000, default: bounds.deadlineMs },
    GATEWAY_DRAIN_MS: { type: 'integer', minimum: 0, maximum: 3_600_000 },
    GATEWAY_JOURNAL: { type: 'string', minLength: 1, default: 'journal' },
    GATEWAY_REPLICAS: { type: 'integer', minimum: 1, default: 1 },
    // Names of OpenTelemetry. Its SDK reads more variables, such as headers for the collector.
    OTEL_EXPORTER_OTLP_ENDPOINT: { type: 'string', pattern: '^https?://', format: 'url' },
    OTEL_SERVICE_NAME: { type: 'string', minLength: 1, default: 'presenza-gateway' },
    OTEL_TRACES_SAMPLER: {
      enum: [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ],
    },
    OTEL_TRACES_SAMPLER_ARG: { type: 'number', minimum: 0, maximum: 1 },
    GATEWAY_TRUST_PROXY: { type: 'string', format: 'proxies', default: '' },
    VERIFY_URL: {
      type: 'string',
      pattern: '^https?://[^#]+$',
      format: 'url',
      default: 'http://127.0.0.1:8000/verify',
    },
    GATEWAY_CORS_ORIGINS: { type: 'string', format: 'origins', default: '' },
    LIVENESS_SESSION_SECONDS: {
      type: 'integer',
      minimum: 1,
      // Clients can read the outcome for at least an hour after the session ends.
      maximum: limits.liveness.dataRetentionSeconds - 3_600,
      default: limits.liveness.sessionLifetimeSeconds,
    },
    LIVENESS_ATTEMPTS: {
      type: 'integer',
      minimum: 1,
      maximum: limits.liveness.attemptStartsPerSession,
      default: limits.liveness.attemptsPerSession,
    },
    LIVENESS_ATTEMPT_SECONDS: {
      type: 'integer',
      minimum: 5,
      maximum: 300,
      default: limits.liveness.attempt.timeoutSeconds,
    },
    LIVENESS_FAILURES: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: limits.liveness.failedAttempts.limit,
    },
    LIVENESS_FAILURE_SECONDS: {
      type: 'integer',
      minimum: 1,
      maximum: 86_400,
      default: limits.liveness.failedAttempts.windowSeconds,
    },
    LIVENESS_LOCKOUT_SECONDS: {
      type: 'integer',
      minimum: 1,
      maximum: limits.liveness.dataRetentionSeconds,
      default: limits.liveness.failedAttempts.defaultLockoutSeconds,
    },
    WEBHOOK_ALLOW_LOOPBACK: { type: 'boolean' },
    WEBHOOK_ALLOWED_ADDRESSES: { type: 'string', format: 'ranges', default: '' },
    WEBHOOK_DISABLE_AFTER_SECONDS: {
      type: 'integer',
      minimum: 1,
      default: limits.webhooks.disableAfterFailingSeconds,
    },
    WEBHOOK_TAKEOVER_SECONDS: { type: 'integer', minimum: 2, maximum: 3_600, default: 20 },
    LOG_LEVEL: { enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info' },
  },
};

const hopCount = /^[1-9]\d?$/;
const entriesOf = (text: string) => text.split(',').map((entry) => entry.trim());

/** GATEWAY_TRUST_PROXY as Express takes it. */
export function trustedProxies(text: string): number | readonly string[] {
  if (text === '') return [];
  return hopCount.test(text) ? Number(text) : entriesOf(text);
}

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

/** Origins whose pages may make the calls about a session. */
export const sessionOrigins = ({
  VERIFY_URL,
  GATEWAY_CORS_ORIGINS,
}: Pick<Config, 'VERIFY_URL' | 'GATEWAY_CORS_ORIGINS'>): readonly string[] => [
  new URL(VERIFY_URL).origin,
  ...(GATEWAY_CORS_ORIGINS === '' ? [] : entriesOf(GATEWAY_CORS_ORIGINS)),
];

/** Addresses that webhooks may be sent to. */
export const webhookAddresses = ({ WEBHOOK_ALLOW_LOOPBACK, WEBHOOK_ALLOWED_ADDRESSES }: Config) => ({
  allowLoopback: WEBHOOK_ALLOW_LOOPBACK,
  allowed: WEBHOOK_ALLOWED_ADDRESSES === '' ? [] : entriesOf(WEBHOOK_ALLOWED_ADDRESSES),
});

const validate = new Ajv({ coerceTypes: true, useDefaults: true, removeAdditional: 'all' })
  .addFormat('url', (text) => URL.canParse(text))
  .addFormat('ranges', (text) => text === '' || entriesOf(text).every(isRange))
  .addFormat('proxies', (text) => text === '' || hopCount.test(text) || entriesOf(text).every(isRange))
  .addFormat('origins', (text) => text === '' || entriesOf(text).every(isOrigin))
  .compile<Omit<Config, 'WEBHOOK_ALLOW_LOOPBACK'> & Partial<Config>>(schema);

/** @throws Error with a sentence that names the variable, but never its value: it may be a secret. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values: unknown = { ...env };
  if (!validate(values)) {
    const [fault] = validate.errors ?? [];
    const name = fault?.params.missingProperty ?? fault?.instancePath.slice(1);
    const problem = fault?.keyword === 'required' ? 'must be set' : fault?.message;
    throw new Error(`The environment variable ${name} ${problem}`);
  }
  const { WEBHOOK_ALLOW_LOOPBACK = values.NODE_ENV !== 'production' } = values;
  return Object.freeze({ ...values, WEBHOOK_ALLOW_LOOPBACK });
}
