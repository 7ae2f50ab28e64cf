import { resolve } from 'node:path';
import { describeVariables, readSettings } from './settings.mjs';

const ROOT = resolve(__dirname, '../../..');

it('has a default for every variable', () => {
  expect(readSettings({})).toEqual({
    colors: true,
    cuda: false,
    dataDir: `${ROOT}/.data`,
    modelsCache: `${ROOT}/inference/.cache/models`,
    siteUrl: 'http://127.0.0.1:8000',
    docsUrl: 'http://localhost:8000',
    verifyUrl: 'http://127.0.0.1:8000/verify',
    consoleUrl: 'http://localhost:8000/console',
    hasMailbox: true,
    logFormat: 'text',
    apiUrl: 'http://127.0.0.1:8080',
    ports: {
      gateway: 8080,
      metrics: 9180,
      admin: 9181,
      inference: 9100,
      site: 8000,
      redis: 6390,
      redisKeys: 6391,
    },
  });
});

it.each([
  {},
  { SITE_URL: 'http://127.0.0.1:81' },
  { SITE_URL: 'https://a.example' },
  { CONSOLE_URL: 'http://127.0.0.1:8000/console' },
])('leads both links of an error to one host with %j', (env) => {
  const { docsUrl, consoleUrl = '' } = readSettings(env);
  expect(new URL(docsUrl).origin).toBe(new URL(consoleUrl).origin);
});

it('takes values from the environment', () => {
  const env = {
    PRESENZA_DATA: '/srv/data',
    WEB_PORT: '81',
    REDIS_URL: 'redis://:p@h:1',
    PRESENZA_CUDA: '13',
    LOG_FORMAT: 'json',
  };
  expect(
    readSettings({ ...env, MODELS_CACHE: 'models', MODELS_FOLDER: 'own', KEY_SECRET: 's' }),
  ).toMatchObject({
    dataDir: '/srv/data',
    modelsCache: `${ROOT}/models`,
    modelsFolder: `${ROOT}/own`,
    siteUrl: 'http://127.0.0.1:81',
    verifyUrl: 'http://127.0.0.1:81/verify',
    ports: { site: 81 },
    redisUrl: 'redis://:p@h:1',
    colors: true,
    cuda: true,
    logFormat: 'json',
    keySecret: 's',
  });
});

it.each([
  { REDIS_URL: 'REDIS://h:1', REDIS_SESSION_KEYS_URL: 'Rediss://h:2' },
  { ANALYTICS_URL: 'HTTPS://events.example.com' },
  { REPOSITORY_URL: 'Https://git.example.com/presenza' },
])('accepts the schemes of %j in capital letters', (env) => {
  expect(() => readSettings(env as NodeJS.ProcessEnv)).not.toThrow();
});

it.each([
  [{ GATEWAY_PORT: 'http' }, "GATEWAY_PORT must be a port from 1 to 65535, not 'http'."],
  [{ INFERENCE_PORT: '70000' }, "INFERENCE_PORT must be a port from 1 to 65535, not '70000'."],
  [{ WEB_PORT: '8080' }, 'GATEWAY_PORT and WEB_PORT are both 8080: give each a port of its own.'],
  [
    { REDIS_URL: 'http://secret@host' },
    'REDIS_URL must look like redis://user:password@host:6379 (or rediss:// for TLS).',
  ],
  [
    { ANALYTICS_URL: 'events.example.com' },
    "ANALYTICS_URL must be an http or https address, not 'events.example.com'.",
  ],
  [
    { REPOSITORY_URL: 'git@example.com:presenza.git' },
    "REPOSITORY_URL must be an http or https address, not 'git@example.com:presenza.git'.",
  ],
  [{ LOG_FORMAT: 'pretty' }, "LOG_FORMAT must be text or json, not 'pretty'."],
  [
    { PRESENZA_CUDA: '12' },
    "PRESENZA_CUDA must be 13, the version that ONNX Runtime's provider is made for, not '12'.",
  ],
])('names the error in %j', (env, sentence) => {
  expect(() => readSettings(env as NodeJS.ProcessEnv)).toThrow(sentence);
});

it('documents every variable that it reads', () => {
  const names = new Set<string>();
  readSettings(new Proxy({}, { get: (_, name) => void names.add(String(name)) }));
  expect(names.size).toBeGreaterThan(5);
  for (const name of names) expect(describeVariables()).toContain(`  ${name} `);
});
