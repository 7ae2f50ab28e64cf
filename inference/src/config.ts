/**
 * Reads the configuration of the inference tier from the environment once, validates and freezes it. config.schema.json
 * describes each variable, for this code and for the documentation.
 */
import Ajv from 'ajv';
import { defaultModelCache, fromRepository } from './catalogue/paths';
import schema from './config.schema.json';
import { type ChosenModels, parseChosenModels } from './serving/model-roles';

export interface Config {
  readonly INFERENCE_HOST: string;
  readonly INFERENCE_PORT: number;
  readonly INFERENCE_HOST_NAMES: string;
  readonly INFERENCE_BACKEND: 'onnx' | 'tfjs';
  readonly INFERENCE_DEVICE: 'auto' | 'cuda' | 'webgpu' | 'cpu';
  readonly INFERENCE_PRECISION: 'auto' | 'float32' | 'float16' | 'int8';
  readonly INFERENCE_DEVICE_IDS: readonly number[];
  readonly INFERENCE_WORKERS?: number;
  readonly INFERENCE_MAX_BATCH?: number;
  readonly INFERENCE_QUEUE_DELAY_MS?: number;
  readonly INFERENCE_MAX_QUEUE: number;
  readonly INFERENCE_MAX_BODY_MB: number;
  readonly INFERENCE_WORKER_MAX_TASKS: number;
  readonly INFERENCE_MAX_RSS_MB: number;
  readonly MODELS_CACHE: string;
  readonly MODELS_FOLDER?: string;
  readonly INFERENCE_MODELS: ChosenModels;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_TRACES_SAMPLER?: string;
  readonly OTEL_TRACES_SAMPLER_ARG?: number;
  readonly LOG_LEVEL: string;
}

/** The validated variables. Compiles only if the schema and the interface name the same ones. */
type Checked = Omit<
  Pick<Config, keyof typeof schema.properties>,
  'INFERENCE_DEVICE_IDS' | 'INFERENCE_MODELS' | 'MODELS_CACHE'
> & {
  readonly INFERENCE_DEVICE_IDS: string;
  readonly INFERENCE_MODELS: string;
  readonly MODELS_CACHE?: string;
};

const validate = new Ajv({ coerceTypes: true, useDefaults: true, removeAdditional: 'all' })
  .addFormat('url', (text) => URL.canParse(text))
  .compile<Checked>(schema);

/** Descriptions of patterns for error messages. */
const expectations: Readonly<Record<string, string>> = {
  INFERENCE_DEVICE_IDS: 'must be numbers of devices with commas between them, for example 0,1',
  INFERENCE_MODELS:
    'must be parts and models with commas between them, for example thorough=scrfd,embedding=arcface',
};

/** @throws Error with a sentence that names the variable. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values: unknown = { ...env };
  if (!validate(values)) {
    const [fault] = validate.errors ?? [];
    const name = fault?.instancePath.slice(1) ?? '';
    const allowed = fault?.keyword === 'enum' ? `: ${fault.params.allowedValues.join(', ')}` : '';
    throw new Error(
      `The environment variable ${name} ${expectations[name] ?? `${fault?.message}${allowed}`}`,
    );
  }
  return Object.freeze({
    ...values,
    MODELS_CACHE: values.MODELS_CACHE ?? defaultModelCache,
    INFERENCE_DEVICE_IDS: values.INFERENCE_DEVICE_IDS.split(',').map(Number),
    INFERENCE_MODELS: parseChosenModels(values.INFERENCE_MODELS),
    ...(values.MODELS_FOLDER ? { MODELS_FOLDER: fromRepository(values.MODELS_FOLDER) } : {}),
  });
}
