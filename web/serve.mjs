/**
 * Serves the built site: what `npm start` runs beside the API. It reads the folder once, when it starts; after
 * a new build it has to be started again.
 *
 *   node serve.mjs [folder]     web/public if none is named
 *
 * WEB_HOST and WEB_PORT say where, API_URL where browsers reach the API: one build serves any deployment. At SIGTERM
 * answers that are under way have WEB_DRAIN_MS.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from 'helmet';
import sirv from 'sirv';
import { readPolicies } from './policies.mjs';
import { readRedirects } from './redirects.mjs';

/** Names with a content hash: Gatsby's of scripts, styles and what it keeps in /static, ours of the demos' pictures. */
const HASHED = /^\/(?:static\/|[^/]+[.-][0-9a-f]{20}\.(?:css|js)$|demos\/[^/]+-[0-9a-f]{10}\.webp$)/;
/** On the machine of a developer, who waits for it, a drain is short; a server of the public gives it seconds. */
const DEFAULTS = { host: '127.0.0.1', port: '8000', drainMs: '800' };
/** Tells the verification page where the API is. The file of that name in the build has the address of `npm start`. */
const VERIFY_CONFIG = '/verify-config.json';
/** What programs ask for again and again; Markdown and text would otherwise not say that they are UTF-8. */
const FEEDS = /\.(?:md|txt|xml)$|^\/openapi\.json$/;
const TYPES = [
  { files: /^\/rss\.xml$/, type: 'application/rss+xml;charset=utf-8' },
  { files: /\.xml$/, type: 'application/xml;charset=utf-8' },
  { files: /\.md$/, type: 'text/markdown;charset=utf-8' },
  { files: /\.txt$/, type: 'text/plain;charset=utf-8' },
];
/** Connections that idle are closed as often while it drains: Node closes those only that idle when it begins. */
const SWEEP_MS = 50;

/**
 * An HTTP server for a folder that `gatsby build` wrote; it does not listen yet.
 * @param {string} publicDir
 * @param {{ apiUrl?: string | undefined }} [options] apiUrl: address of the API for browsers, without a slash at its end
 */
export function createSite(publicDir, { apiUrl } = {}) {
  const notFoundFile = join(publicDir, '404.html');
  if (!existsSync(notFoundFile)) throw new Error('The site is not built yet: run "npm run build" first.');
  const notFoundPage = readFileSync(notFoundFile);
  const config = JSON.stringify({
    apiUrl: apiUrl ?? JSON.parse(readFileSync(join(publicDir, VERIFY_CONFIG), 'utf8')).apiUrl,
  });
  const redirectOf = readRedirects(publicDir);
  const headersOf = readPolicies(publicDir, JSON.parse(config));
  const secure = helmet({
    // Set per page, below.
    contentSecurityPolicy: false,
    // Whoever ends TLS for this address decides whether it is there to stay.
    strictTransportSecurity: false,
  });

  /** @param {import('node:http').ServerResponse} res @param {string} path */
  const setPolicy = (res, path) => {
    for (const [name, value] of Object.entries(headersOf(path))) res.setHeader(name, value);
  };

  const sendFile = sirv(publicDir, {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders(res, path) {
      res.setHeader('Cache-Control', cacheControl(path));
      const type = TYPES.find(({ files }) => files.test(path))?.type;
      if (type) res.setHeader('Content-Type', type);
      setPolicy(res, path);
    },
    onNoMatch(_req, res) {
      setPolicy(res, '/404.html');
      res.writeHead(404, { 'Content-Type': 'text/html;charset=utf-8', 'Cache-Control': 'no-cache' });
      res.end(notFoundPage);
    },
  });

  return createServer((req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.writeHead(405, { Allow: 'GET, HEAD' }).end();
      return;
    }
    secure(req, res, () => {
      // Nobody needs parts of pages, and one whose end comes before its beginning would end the server.
      delete req.headers.range;
      const [path = '/', query] = (req.url ?? '/').split('?');
      const target = redirectOf(path);
      if (target) {
        const location = query ? `${target}?${query}` : target;
        return res.writeHead(301, { Location: location, 'Cache-Control': 'no-cache' }).end();
      }
      if (path !== VERIFY_CONFIG) return sendFile(req, res);
      res.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }).end(config);
    });
  });
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
function readApiUrl({ API_URL: value }) {
  if (!value) return undefined;
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new Error(`API_URL must be an http or https address, not "${value}".`);
  }
  return value.replace(/\/+$/, '');
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
  const server = createSite(folder, { apiUrl: readApiUrl(process.env) });

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
