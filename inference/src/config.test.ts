import { readConfig } from './config';

test('defaults fit one machine', () => {
  expect(readConfig({})).toMatchObject({
    INFERENCE_HOST: '127.0.0.1',
    INFERENCE_PORT: 9100,
    INFERENCE_BACKEND: 'onnx',
    INFERENCE_DEVICE: 'auto',
    INFERENCE_DEVICE_IDS: [0],
    INFERENCE_QUEUE_DELAY_MS: 0,
    INFERENCE_WORKER_MAX_TASKS: 0,
    LOG_LEVEL: 'info',
  });
});

test('values are read as numbers and frozen, other variables are left out', () => {
  const config = readConfig({ INFERENCE_PORT: '9101', INFERENCE_DEVICE_IDS: '0,2', HOME: '/home' });
  expect(config.INFERENCE_DEVICE_IDS).toEqual([0, 2]);
  expect(config.INFERENCE_PORT).toBe(9101);
  expect(config).not.toHaveProperty('HOME');
  expect(Object.isFrozen(config)).toBe(true);
});

test.each([
  ['INFERENCE_PORT', 'http'],
  ['INFERENCE_PORT', '70000'],
  ['INFERENCE_WORKERS', '0'],
  ['INFERENCE_DEVICE', 'gpu'],
  ['INFERENCE_DEVICE_IDS', '0;1'],
  ['INFERENCE_BACKEND', 'torch'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s stops the start with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`The environment variable ${name} must`);
});
