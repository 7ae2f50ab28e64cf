/** Configuration of the gateway: read from the environment once, checked, frozen. */
import Ajv from 'ajv';

export interface Config {
  readonly GATEWAY_HOST: string;
  readonly GATEWAY_PORT: number;
  /** Metrics and health for operators, apart from the public port. */
  readonly GATEWAY_METRICS_PORT: number;
  readonly REDIS_URL: string;
  readonly INFERENCE_URL: string;
  /** Secret under which API keys are hashed, 32 bytes or more as hex. Changing it makes every key invalid. */
  readonly KEY_SECRET: string;
  readonly LOG_LEVEL: string;
}

const schema = {
  type: 'object',
  required: ['KEY_SECRET'],
  additionalProperties: false,
  properties: {
    GATEWAY_HOST: { type: 'string', default: '127.0.0.1' },
    GATEWAY_PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 8080 },
    GATEWAY_METRICS_PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 9180 },
    REDIS_URL: { type: 'string', pattern: '^rediss?://', default: 'redis://127.0.0.1:6379' },
    INFERENCE_URL: { type: 'string', pattern: '^http://', default: 'http://127.0.0.1:9100' },
    KEY_SECRET: { type: 'string', pattern: '^[0-9a-fA-F]{64,}$' },
    LOG_LEVEL: { enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info' },
  },
};

const validate = new Ajv({ coerceTypes: true, useDefaults: true, removeAdditional: 'all' }).compile<Config>(
  schema,
);

/** @throws Error with a sentence that names the variable, but never its value: it may be a secret. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values: unknown = { ...env };
  if (!validate(values)) {
    const [fault] = validate.errors ?? [];
    const name = fault?.params.missingProperty ?? fault?.instancePath.slice(1);
    const problem = fault?.keyword === 'required' ? 'must be set' : fault?.message;
    throw new Error(`The environment variable ${name} ${problem}`);
  }
  return Object.freeze(values);
}
