/**
 * Serves the built site; `npm start` runs it beside the API. The server reads the folder when it starts; restart it
 * after a new build.
 *
 *   node serve.mjs [folder]     default: web/public
 *
 * WEB_HOST and WEB_PORT are its address, API_URL is the API's address for browsers: one build serves any deployment. With
 * CONSOLE=off, addresses of the console lead to CONSOLE_URL, or to the documentation for operators. On SIGTERM, responses
 * in flight have WEB_DRAIN_MS to complete.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from 'helmet';
import { readPolicies } from './policies.mjs';
import { awayFromConsole, behindConsole, readRedirects } from './redirects.mjs';
import { createFiles } from './static-files.mjs';

/** Names with a content hash: Gatsby's scripts, styles and static files, and the demo images. */
const HASHED = /^\/(?:static\/|[^/]+[.-][0-9a-f]{20}\.(?:css|js)$|demos\/[^/]+-[0-9a-f]{10}\.webp$)/;
/** Draining is short for developers, who wait for it. A public server needs seconds. */
const DEFAULTS = { host: '127.0.0.1', port: '8000', drainMs: '800' };
/** Gives pages the address of the API. The file in the build contains the default of `npm start`. */
const API_CONFIG = '/api-config.json';
/** Leads to the feed of incidents, which the API serves, because files of a build would not be current. */
const INCIDENT_FEED = '/status.atom';
/** Files that programs poll or download. */
const FEEDS = /\.(?:md|txt|xml)$|^\/openapi\.json$|^\/downloads\//;
/** Types that the names of files do not reveal. @type {readonly (readonly [RegExp, string])[]} */
const TYPES = [
  [/^\/(?:rss|changelog)\.xml$/, 'application/rss+xml; charset=utf-8'],
  [/\.tgz$/, 'application/gzip'],
  [/\.whl$/, 'application/zip'],
  [/\/@v\/.*\.info$/, 'application/json'],
  [/\/@v\/(?:list|.*\.mod)$/, 'text/plain; charset=utf-8'],
];
/**
 * Load balancers keep idle connections for up to 60 s. A connection that the site closed first, after Node's 5 s, could lose
 * the request that a balancer sends at the same time.
 */
const KEEP_ALIVE_MS = 65_000;
/** The interval at which draining closes idle connections. Node closes only those that are idle at the start. */
const SWEEP_MS = 50;
/** The page of all addresses of the console. */
const CONSOLE_PAGE = '/console/index.html';

/**
 * Creates an HTTP server for a folder that `gatsby build` wrote; it does not listen yet.
 * @param {string} publicDir
 * @param {object} [options]
 * @param {string | undefined} [options.apiUrl] address of the API for browsers, without a trailing slash
 * @param {boolean} [options.hasConsole]
 * @param {string | undefined} [options.consoleUrl] address of a console elsewhere, without a trailing slash
 */
export function createSite(publicDir, { apiUrl, hasConsole = true, consoleUrl } = {}) {
  const notFoundFile = join(publicDir, '404.html');
  if (!existsSync(notFoundFile)) throw new Error('The site is not built yet: run "npm run build" first.');
  const notFoundPage = readFileSync(notFoundFile);
  const api = apiUrl ?? JSON.parse(readFileSync(join(publicDir, API_CONFIG), 'utf8')).apiUrl;
  const config = JSON.stringify({ apiUrl: api });
  const redirectOf = readRedirects(publicDir);
  const headersOf = readPolicies(publicDir, JSON.parse(config));
  const secure = helmet({
    // setPolicy sets it per page.
    contentSecurityPolicy: false,
    // The proxy that terminates TLS decides about HSTS.
    strictTransportSecurity: false,
  });

  const sendFile = createFiles(publicDir, {
    headersOf: (path) => ({
      'Cache-Control': cacheControl(path),
      ...typeOf(path),
      ...headersOf(path),
    }),
    sendMissing(res) {
      const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' };
      res.writeHead(404, { ...headers, ...headersOf('/404.html') }).end(notFoundPage);
    },
    onError: (error) => log('error', 'file not readable', { error: error.message }),
  });

  return createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    secure(req, res, () => {
      const [path = '/', query] = (req.url ?? '/').split('?');
      const target = redirectOf(path);
      if (target) {
        const location = query ? `${target}?${query}` : target;
        return res.writeHead(301, { Location: location, 'Cache-Control': 'no-cache' }).end();
      }
      if (path === INCIDENT_FEED) {
        const feed = { Location: `${api}/health/incidents.atom`, 'Cache-Control': 'no-cache' };
        return res.writeHead(302, feed).end();
      }
      const behind = behindConsole(path);
      if (behind !== undefined && !hasConsole) {
        const away = { Location: awayFromConsole(behind, query, consoleUrl), 'Cache-Control': 'no-store' };
        return res.writeHead(302, away).end();
      }
      if (behind !== undefined) req.url = CONSOLE_PAGE;
      if (path !== API_CONFIG) return sendFile(req, res);
      res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }).end(config);
    });
  });
}

/** @param {string} path @returns {Record<string, string>} */
function typeOf(path) {
  const type = TYPES.find(([pattern]) => pattern.test(path))?.[1];
  return type === undefined ? {} : { 'Content-Type': type };
}

/** @param {string} path */
function cacheControl(path) {
  if (HASHED.test(path)) return 'public, max-age=31536000, immutable';
  return FEEDS.test(path) ? 'public, max-age=300' : 'no-cache';
}

/** @param {NodeJS.ProcessEnv} env */
function readAddress({ WEB_HOST: host = DEFAULTS.host, WEB_PORT: port = DEFAULTS.port }) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`WEB_PORT must be a port number from 0 to 65535, not "${port}".`);
  }
  return { host, port: Number(port) };
}

/** @param {NodeJS.ProcessEnv} env */
function readDrainMs({ WEB_DRAIN_MS: value = DEFAULTS.drainMs }) {
  if (!/^\d{1,6}$/.test(value) || Number(value) > 120_000) {
    throw new Error(`WEB_DRAIN_MS must be milliseconds from 0 to 120000, not "${value}".`);
  }
  return Number(value);
}

/** @param {NodeJS.ProcessEnv} env */
function readUrls({ API_URL: api, CONSOLE_URL: console }) {
  return { apiUrl: webAddress('API_URL', api), consoleUrl: webAddress('CONSOLE_URL', console) };
}

/** @param {string} name @param {string | undefined} value */
function webAddress(name, value) {
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^https?:/i.test(value)) {
    throw new Error(`${name} must be an http or https address, not "${value}".`);
  }
  return value.replace(/\/+$/, '');
}

/** @param {NodeJS.ProcessEnv} env */
function readHasConsole({ CONSOLE: value }) {
  if (value && value !== 'on' && value !== 'off')
    throw new Error(`CONSOLE must be on or off, not "${value}".`);
  return value !== 'off';
}

/** @param {'info' | 'error'} level @param {string} msg @param {Record<string, unknown>} [fields] */
function log(level, msg, fields) {
  const line = `${JSON.stringify({ level, msg, ...fields })}\n`;
  (level === 'error' ? process.stderr : process.stdout).write(line);
}

/** @param {unknown} error */
function fail(error) {
  log('error', error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function main() {
  const { host, port } = readAddress(process.env);
  const drainMs = readDrainMs(process.env);
  const folder = process.argv[2] ?? fileURLToPath(new URL('public', import.meta.url));
  const server = createSite(folder, {
    ...readUrls(process.env),
    hasConsole: readHasConsole(process.env),
  });

  server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    const busy = `Port ${port} on ${host} is taken by another program: free it or set WEB_PORT.`;
    fail(error.code === 'EADDRINUSE' ? busy : error);
  });
  server.listen(port, host, () => {
    const { port: actual } = /** @type {import('node:net').AddressInfo} */ (server.address());
    log('info', 'site listening', { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}` });
  });

  const stop = () => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(deadline);
    });
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    fail(error);
  }
}
