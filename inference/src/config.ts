/** Configuration of the inference tier: read from the environment once, checked, frozen. */
import { availableParallelism } from 'node:os';
import Ajv from 'ajv';
import { defaultModelCache } from './paths';

export interface Config {
  readonly INFERENCE_HOST: string;
  readonly INFERENCE_PORT: number;
  /** Worker threads; by default one per core. */
  readonly INFERENCE_WORKERS: number;
  /** Tasks that may wait for a worker before requests are refused. */
  readonly INFERENCE_MAX_QUEUE: number;
  readonly MODELS_CACHE: string;
  readonly LOG_LEVEL: string;
}

const schema = {
  type: 'object',
  required: [],
  properties: {
    INFERENCE_HOST: { type: 'string', default: '127.0.0.1' },
    INFERENCE_PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 9100 },
    INFERENCE_WORKERS: { type: 'integer', minimum: 1, maximum: 256, default: availableParallelism() },
    INFERENCE_MAX_QUEUE: { type: 'integer', minimum: 0, maximum: 100_000, default: 256 },
    MODELS_CACHE: { type: 'string', minLength: 1, default: defaultModelCache },
    LOG_LEVEL: { enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info' },
  },
};

const validate = new Ajv({ coerceTypes: true, useDefaults: true, removeAdditional: 'all' }).compile<Config>({
  ...schema,
  additionalProperties: false,
});

/** @throws Error with a sentence that names the variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values: unknown = { ...env };
  if (!validate(values)) {
    const [fault] = validate.errors ?? [];
    throw new Error(`The environment variable ${fault?.instancePath.slice(1)} ${fault?.message}`);
  }
  return Object.freeze(values);
}
