import { readConfig } from './config';

test('defaults fit one machine', () => {
  expect(readConfig({})).toMatchObject({
    INFERENCE_HOST: '127.0.0.1',
    INFERENCE_PORT: 9100,
    LOG_LEVEL: 'info',
  });
  expect(readConfig({}).INFERENCE_WORKERS).toBeGreaterThan(0);
});

test('values are read as numbers and frozen, other variables are left out', () => {
  const config = readConfig({ INFERENCE_PORT: '9101', HOME: '/home' });
  expect(config.INFERENCE_PORT).toBe(9101);
  expect(config).not.toHaveProperty('HOME');
  expect(Object.isFrozen(config)).toBe(true);
});

test.each([
  ['INFERENCE_PORT', 'http'],
  ['INFERENCE_PORT', '70000'],
  ['INFERENCE_WORKERS', '0'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s stops the start with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`The environment variable ${name} must`);
});
