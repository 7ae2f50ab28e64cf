// The variables of the local scripts: this module parses them, and `npm start -- --help` lists them.

import { isAbsolute, join } from 'node:path';
import { ROOT } from './paths.mjs';
import { Stop } from './stop.mjs';

const PORTS = /** @type {const} */ ({
  gateway: { variable: 'GATEWAY_PORT', fallback: 8080, about: 'port of the API' },
  metrics: {
    variable: 'GATEWAY_METRICS_PORT',
    fallback: 9180,
    about: "port of the gateway's metrics and readiness",
  },
  admin: { variable: 'GATEWAY_ADMIN_PORT', fallback: 9181, about: "port of the operators' API" },
  inference: { variable: 'INFERENCE_PORT', fallback: 9100, about: 'port of the inference tier' },
  site: { variable: 'WEB_PORT', fallback: 8000, about: 'port of the site' },
  redis: {
    variable: 'REDIS_PORT',
    fallback: 6390,
    about: "port of the Redis started when REDIS_URL isn't set",
  },
  redisKeys: {
    variable: 'REDIS_SESSION_KEYS_PORT',
    fallback: 6391,
    about: 'port of the Redis with the keys of liveness sessions, started beside the other one',
  },
});

/** @typedef {keyof typeof PORTS} PortName */
/** @typedef {'text' | 'json'} LogFormat */

const OTHERS = [
  ['PRESENZA_DATA', "folder of keys and Redis's data; a relative path begins at the repository (.data)"],
  ['REDIS_URL', 'redis:// or rediss:// address of a Redis 7 to use in place of one started here'],
  [
    'REDIS_SESSION_KEYS_URL',
    'address of a second Redis for the keys of liveness sessions; with REDIS_URL, none is started here',
  ],
  ['KEY_SECRET', 'secret that API keys are hashed with (kept in the data folder when not set)'],
  ['ADMIN_TOKEN', "token of the operators' API (kept in the data folder when not set)"],
  ['GATEWAY_TRUST_PROXY', 'addresses of the proxies in front of the API, or how many there are (none)'],
  ['SITE_URL', 'public address of the site, written into its pages (http://127.0.0.1 and WEB_PORT)'],
  ['CONSOLE', "off: no console, and the site's buttons lead to CONSOLE_URL or to the documentation (on)"],
  ['CONSOLE_URL', "address of the console's pages (/console of the site)"],
  ['SMTP_URL', 'mail server of the console (none: its mails arrive at a page of the admin port)'],
  ['MAIL_FROM', "sender of the console's mails, required by SMTP_URL"],
  [
    'REQUEST_LOG_URL',
    "address of a request in your log viewer, with {requestId} in its place (the console's own page)",
  ],
  ['REPOSITORY_URL', "address of the source code, for the site's edit links and clone command (none)"],
  ['ANALYTICS_URL', 'address for analytics of visitors who agreed (none)'],
  ['API_URL', 'public address of the API, for the verification page (http://127.0.0.1 and GATEWAY_PORT)'],
  ['VERIFY_URL', "address of the page of liveness checks (the site's own)"],
  ['GATEWAY_CORS_ORIGINS', 'origins whose pages may embed liveness checks, separated by commas (none)'],
  ['MODELS_CACHE', 'folder of the compiled models (inference/.cache/models)'],
  ['MODELS_FOLDER', 'folder of your own model manifests (none)'],
  [
    'MODELS_MIRROR',
    'folder or https address that holds the published files of built-in models (their authors)',
  ],
  ['INFERENCE_MODELS', 'models other than the default ones, e.g. thorough=yunet'],
  ['INFERENCE_PRECISION', 'float32 or int8 (default: the faster one on this CPU)'],
  ['PRESENZA_CUDA', "13 downloads ONNX Runtime's provider for NVIDIA GPUs, which needs CUDA 13 (none)"],
  ['LOG_FORMAT', 'json prints log lines as JSON, for programs (text)'],
  ['NO_COLOR', 'any value: no colors'],
];

/**
 * @typedef {object} Settings
 * @property {string} dataDir absolute
 * @property {string} modelsCache absolute
 * @property {string | undefined} modelsFolder absolute
 * @property {string | undefined} modelsMirror folder or address
 * @property {string} siteUrl
 * @property {string} docsUrl site that errors link to, with the host name of the console
 * @property {string | undefined} analyticsUrl
 * @property {string | undefined} repositoryUrl
 * @property {string} apiUrl for browsers
 * @property {string} verifyUrl page for users of liveness checks
 * @property {string | undefined} consoleUrl undefined: there is no console
 * @property {boolean} hasMailbox whether operators read the console's mails, because it has no mail server
 * @property {Readonly<Record<PortName, number>>} ports
 * @property {string | undefined} redisUrl
 * @property {string | undefined} sessionKeysUrl
 * @property {string | undefined} keySecret
 * @property {string | undefined} adminToken
 * @property {LogFormat} logFormat
 * @property {boolean} colors
 * @property {boolean} cuda whether ONNX Runtime's CUDA provider is wanted
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Readonly<Settings>}
 * @throws {Stop} naming the variable that is wrong
 */
export function readSettings(env) {
  const ports = readPorts(env);
  const siteUrl = env.SITE_URL || `http://127.0.0.1:${ports.site}`;
  const verifyUrl = env.VERIFY_URL || `${siteUrl.replace(/\/$/, '')}/verify`;
  const consoleUrl = env.CONSOLE === 'off' ? undefined : env.CONSOLE_URL || consoleBeside(verifyUrl);
  return Object.freeze({
    dataDir: folder(env.PRESENZA_DATA || '.data'),
    modelsCache: folder(env.MODELS_CACHE || 'inference/.cache/models'),
    modelsFolder: env.MODELS_FOLDER ? folder(env.MODELS_FOLDER) : undefined,
    modelsMirror: env.MODELS_MIRROR || undefined,
    siteUrl,
    docsUrl: consoleUrl?.startsWith('http://localhost') ? namedHere(siteUrl) : siteUrl,
    verifyUrl,
    consoleUrl,
    hasMailbox: !env.SMTP_URL,
    analyticsUrl: readWebAddress('ANALYTICS_URL', env),
    repositoryUrl: readWebAddress('REPOSITORY_URL', env),
    apiUrl: env.API_URL || `http://127.0.0.1:${ports.gateway}`,
    ports,
    redisUrl: readRedisUrl('REDIS_URL', env),
    sessionKeysUrl: readRedisUrl('REDIS_SESSION_KEYS_URL', env),
    keySecret: env.KEY_SECRET || undefined,
    adminToken: env.ADMIN_TOKEN || undefined,
    cuda: readCuda(env.PRESENZA_CUDA),
    logFormat: readLogFormat(env.LOG_FORMAT),
    colors: !env.NO_COLOR, // no-color.org: any value that is not empty counts
  });
}

/** The gateway's default, but with the name of this machine: browsers give no passkey to a number. @param {string} verifyUrl */
const consoleBeside = (verifyUrl) =>
  URL.canParse(verifyUrl) ? `${namedHere(new URL(verifyUrl).origin)}/console` : undefined;

/** An address on this machine, by name. @param {string} url */
const namedHere = (url) => url.replace('//127.0.0.1', '//localhost');

/** @param {PortName} name */
export function portVariable(name) {
  return PORTS[name].variable;
}

/** @returns {string} one line per variable */
export function describeVariables() {
  const rows = [
    ...Object.values(PORTS).map(({ variable, about, fallback }) => [variable, `${about} (${fallback})`]),
    ...OTHERS,
  ];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return rows.map(([name = '', about]) => `  ${name.padEnd(width)}  ${about}`).join('\n');
}

/** @param {string} path */
function folder(path) {
  return isAbsolute(path) ? path : join(ROOT, path);
}

/** @param {NodeJS.ProcessEnv} env */
function readPorts(env) {
  const ports = /** @type {Record<PortName, number>} */ ({});
  for (const name of /** @type {PortName[]} */ (Object.keys(PORTS))) {
    const { variable, fallback } = PORTS[name];
    const port = readPort(variable, env[variable] || String(fallback));
    const other = Object.keys(ports).find((taken) => ports[/** @type {PortName} */ (taken)] === port);
    if (other) {
      const both = `${PORTS[/** @type {PortName} */ (other)].variable} and ${variable}`;
      throw new Stop(`${both} are both ${port}: give each a port of its own.`);
    }
    ports[name] = port;
  }
  return Object.freeze(ports);
}

/** @param {string} variable @param {string} text */
function readPort(variable, text) {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Stop(`${variable} must be a port from 1 to 65535, not '${text}'.`);
  }
  return port;
}

/** @param {string} variable @param {NodeJS.ProcessEnv} env */
function readRedisUrl(variable, env) {
  const url = env[variable];
  if (!url) return undefined;
  if (!/^rediss?:\/\/./i.test(url) || !URL.canParse(url)) {
    // The message omits the value, which may contain a password.
    throw new Stop(`${variable} must look like redis://user:password@host:6379 (or rediss:// for TLS).`);
  }
  return url;
}

/** @param {string} variable @param {NodeJS.ProcessEnv} env */
function readWebAddress(variable, { [variable]: url }) {
  if (!url) return undefined;
  if (!/^https?:\/\/./i.test(url) || !URL.canParse(url)) {
    throw new Stop(`${variable} must be an http or https address, not '${url}'.`);
  }
  return url;
}

/** @param {string | undefined} text */
function readCuda(text) {
  if (!text || text === '0') return false;
  if (text === '13') return true;
  throw new Stop(
    `PRESENZA_CUDA must be 13, the version that ONNX Runtime's provider is made for, not '${text}'.`,
  );
}

/** @param {string | undefined} text @returns {LogFormat} */
function readLogFormat(text) {
  if (!text || text === 'text') return 'text';
  if (text === 'json') return text;
  throw new Stop(`LOG_FORMAT must be text or json, not '${text}'.`);
}
