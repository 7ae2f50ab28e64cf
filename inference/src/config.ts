/** Configuration of the inference tier: read from the environment once, checked, frozen. */
import Ajv from 'ajv';
import { defaultModelCache, ownModelsFolder } from './catalogue/paths';
import { type ChosenModels, parseChosenModels } from './serving/model-roles';

export interface Config {
  readonly INFERENCE_HOST: string;
  readonly INFERENCE_PORT: number;
  readonly INFERENCE_BACKEND: 'onnx' | 'tfjs';
  readonly INFERENCE_DEVICE: 'auto' | 'cuda' | 'webgpu' | 'cpu';
  /** In which numbers models compute; `auto`: what suits processor and device. */
  readonly INFERENCE_PRECISION: 'auto' | 'float32' | 'int8';
  /** The CUDA devices that the workers are spread over: `0` or `0,1`. */
  readonly INFERENCE_DEVICE_IDS: readonly number[];
  /** Worker threads; by default what suits the device. */
  readonly INFERENCE_WORKERS?: number;
  /** Largest batch, in images or faces; by default what suits the device. */
  readonly INFERENCE_MAX_BATCH?: number;
  /** How long a batch may wait to fill although a worker is free; only ever of use on a GPU. */
  readonly INFERENCE_QUEUE_DELAY_MS: number;
  /** Images or faces that may wait for a worker before requests are refused. */
  readonly INFERENCE_MAX_QUEUE: number;
  /** Megabytes of request bodies in flight before requests are refused. */
  readonly INFERENCE_MAX_BODY_MB: number;
  /** Batches after which a worker is replaced; 0 for never. */
  readonly INFERENCE_WORKER_MAX_TASKS: number;
  /** Megabytes of resident memory above which workers are replaced; 0 for never. */
  readonly INFERENCE_MAX_RSS_MB: number;
  readonly MODELS_CACHE: string;
  /** Folder of the operator's own manifests; a relative path begins at the repository. */
  readonly MODELS_FOLDER?: string;
  /** Models by the part they play, where not the default: `thorough=yunet,embedding=sface`. */
  readonly INFERENCE_MODELS: ChosenModels;
  /** Address of a collector of traces, which speaks OTLP over HTTP; absent: there are no traces. */
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly OTEL_SERVICE_NAME: string;
  /** Which requests are traced, checked here and read by the SDK; by default those that the gateway traces. */
  readonly OTEL_TRACES_SAMPLER?: string;
  /** Part of the traces that a ratio keeps, 0 to 1. */
  readonly OTEL_TRACES_SAMPLER_ARG?: number;
  readonly LOG_LEVEL: string;
}

const schema = {
  type: 'object',
  required: [],
  properties: {
    INFERENCE_HOST: { type: 'string', default: '127.0.0.1' },
    INFERENCE_PORT: { type: 'integer', minimum: 0, maximum: 65535, default: 9100 },
    INFERENCE_BACKEND: { enum: ['onnx', 'tfjs'], default: 'onnx' },
    INFERENCE_DEVICE: { enum: ['auto', 'cuda', 'webgpu', 'cpu'], default: 'auto' },
    INFERENCE_PRECISION: { enum: ['auto', 'float32', 'int8'], default: 'auto' },
    INFERENCE_DEVICE_IDS: { type: 'string', pattern: '^\\d{1,2}(,\\d{1,2})*$', default: '0' },
    INFERENCE_WORKERS: { type: 'integer', minimum: 1, maximum: 256 },
    INFERENCE_MAX_BATCH: { type: 'integer', minimum: 1, maximum: 256 },
    INFERENCE_QUEUE_DELAY_MS: { type: 'integer', minimum: 0, maximum: 1000, default: 0 },
    INFERENCE_MAX_QUEUE: { type: 'integer', minimum: 0, maximum: 100_000, default: 256 },
    INFERENCE_MAX_BODY_MB: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 512 },
    INFERENCE_WORKER_MAX_TASKS: { type: 'integer', minimum: 0, maximum: 1e9, default: 0 },
    INFERENCE_MAX_RSS_MB: { type: 'integer', minimum: 0, maximum: 1e7, default: 0 },
    MODELS_CACHE: { type: 'string', minLength: 1, default: defaultModelCache },
    MODELS_FOLDER: { type: 'string', minLength: 1 },
    INFERENCE_MODELS: { type: 'string', pattern: '^$|^\\w+=[\\w-]+(,\\w+=[\\w-]+)*$', default: '' },
    // As OpenTelemetry names and reads them; what it leaves out, such as headers for the collector, it reads itself.
    OTEL_EXPORTER_OTLP_ENDPOINT: { type: 'string', pattern: '^https?://', format: 'url' },
    OTEL_SERVICE_NAME: { type: 'string', minLength: 1, default: 'presenza-inference' },
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
    LOG_LEVEL: { enum: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], default: 'info' },
  },
};

type Checked = Omit<Config, 'INFERENCE_DEVICE_IDS' | 'INFERENCE_MODELS'> & {
  readonly INFERENCE_DEVICE_IDS: string;
  readonly INFERENCE_MODELS: string;
};

const validate = new Ajv({ coerceTypes: true, useDefaults: true, removeAdditional: 'all' })
  .addFormat('url', (text) => URL.canParse(text))
  .compile<Checked>({ ...schema, additionalProperties: false });

/** Words for patterns, which are no sentence. */
const expectations: Readonly<Record<string, string>> = {
  INFERENCE_DEVICE_IDS: 'must be numbers of devices with commas between them, for example 0,1',
  INFERENCE_MODELS:
    'must be parts and models with commas between them, for example thorough=yunet,embedding=sface',
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
    INFERENCE_DEVICE_IDS: values.INFERENCE_DEVICE_IDS.split(',').map(Number),
    INFERENCE_MODELS: parseChosenModels(values.INFERENCE_MODELS),
    ...(values.MODELS_FOLDER ? { MODELS_FOLDER: ownModelsFolder(values.MODELS_FOLDER) } : {}),
  });
}
