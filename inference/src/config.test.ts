import { join } from 'node:path';
import { packageRoot } from './catalogue/paths';
import { readConfig } from './config';

test('defaults fit one machine', () => {
  expect(readConfig({})).toMatchObject({
    INFERENCE_HOST: '127.0.0.1',
    INFERENCE_PORT: 9100,
    INFERENCE_BACKEND: 'onnx',
    INFERENCE_DEVICE: 'auto',
    INFERENCE_DEVICE_IDS: [0],
    INFERENCE_WORKER_MAX_TASKS: 0,
    LOG_LEVEL: 'info',
  });
});

test('reads numbers, freezes the values and omits other variables', () => {
  const config = readConfig({ INFERENCE_PORT: '9101', INFERENCE_DEVICE_IDS: '0,2', HOME: '/home' });
  expect(config.INFERENCE_DEVICE_IDS).toEqual([0, 2]);
  expect(config.INFERENCE_PORT).toBe(9101);
  expect(config).not.toHaveProperty('HOME');
  expect(Object.isFrozen(config)).toBe(true);
});

test('reads models by role, and their folder relative to the repository', () => {
  const config = readConfig({ INFERENCE_MODELS: 'thorough=yunet,embedding=sface', MODELS_FOLDER: 'own' });
  expect(config.INFERENCE_MODELS).toEqual({ thorough: 'yunet', embedding: 'sface' });
  expect(config.MODELS_FOLDER).toBe(join(packageRoot, '..', 'own'));
  expect(readConfig({}).INFERENCE_MODELS).toEqual({});
  expect(() => readConfig({ INFERENCE_MODELS: 'near=a,near=b' })).toThrow('names the role near twice');
});

test.each([
  ['INFERENCE_PORT', 'http'],
  ['INFERENCE_PORT', '70000'],
  ['INFERENCE_WORKERS', '0'],
  ['INFERENCE_DEVICE', 'gpu'],
  ['INFERENCE_DEVICE_IDS', '0;1'],
  ['INFERENCE_BACKEND', 'torch'],
  ['INFERENCE_MODELS', 'thorough'],
  ['INFERENCE_MODELS', 'thorough=yunet;mesh=other'],
  ['LOG_LEVEL', 'loud'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
])('%s=%s stops the start with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`The environment variable ${name} must`);
});
