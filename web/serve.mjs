/**
 * Serves the built site: what `npm start` runs beside the API. It reads the folder once, when it starts; after
 * a new build it has to be started again.
 *
 *   node serve.mjs [folder]     web/public if none is named; WEB_HOST and WEB_PORT say where
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from 'helmet';
import sirv from 'sirv';

/** Gatsby puts a content hash in the names of scripts, styles and what it keeps in /static. */
const HASHED = /^\/(?:static\/|[^/]+[.-][0-9a-f]{20}\.(?:css|js)$)/;
const DEFAULTS = { host: '127.0.0.1', port: '8000' };
/** What answers that are under way have before they are cut off. */
const SHUTDOWN_MS = 800;

/**
 * An HTTP server for a folder that `gatsby build` wrote; it does not listen yet.
 * @param {string} publicDir
 */
export function createSite(publicDir) {
  const notFoundFile = join(publicDir, '404.html');
  if (!existsSync(notFoundFile)) throw new Error('The site is not built yet: run "npm run build" first.');
  const notFoundPage = readFileSync(notFoundFile);
  const policies = readPolicies(publicDir);
  const secure = helmet({
    // Set per page, below.
    contentSecurityPolicy: false,
    // Whoever ends TLS for this address decides whether it is there to stay.
    strictTransportSecurity: false,
  });

  /** @param {import('node:http').ServerResponse} res @param {string} path */
  const setPolicy = (res, path) => {
    const policy = candidates(path)
      .map((file) => policies.get(file))
      .find(Boolean);
    if (policy) res.setHeader('Content-Security-Policy', policy);
  };

  const sendFile = sirv(publicDir, {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders(res, path) {
      res.setHeader('Cache-Control', HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache');
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
    secure(req, res, () => sendFile(req, res));
  });
}

/**
 * The content security policy of each HTML file, by its path from the folder: /docs/index.html.
 *
 * Gatsby writes scripts and styles into its HTML (the page's path, the chunk list, the critical CSS), and they
 * differ from page to page. Allowing all inline code would leave the policy without its point, and a nonce
 * needs HTML that is written per request; so each page's policy lists the hashes of what is in that page. The
 * page keeps its document, and so its policy, while Gatsby changes views; what it loads then is in files.
 * @param {string} publicDir
 */
function readPolicies(publicDir) {
  /** @type {Map<string, string>} */
  const policies = new Map();
  for (const entry of readdirSync(publicDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.html')) continue;
    // Node 20.9 names the folder `path`, later versions `parentPath`.
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const address = `/${relative(publicDir, file).split(sep).join('/')}`;
    policies.set(address, policyFor(readFileSync(file, 'utf8')));
  }
  return policies;
}

/** @param {string} html */
function policyFor(html) {
  const scripts = hashAll(html, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g);
  const styles = hashAll(html, /<style[^>]*>([\s\S]*?)<\/style>/g);
  const attributes = hashAll(html, /<[a-z][^>]*\sstyle="([^"]*)"/g);
  return [
    `default-src 'self'`,
    `script-src 'self' ${scripts.join(' ')}`,
    // Hashes reach style attributes (Gatsby sets two) only with 'unsafe-hashes'; it allows nothing else.
    `style-src 'self' 'unsafe-hashes' ${[...styles, ...attributes].join(' ')}`,
    `img-src 'self' data:`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join(';');
}

/** @param {string} html @param {RegExp} pattern */
function hashAll(html, pattern) {
  const found = new Set([...html.matchAll(pattern)].map(([, text = '']) => text));
  return [...found].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

/**
 * The HTML files that sirv may answer an address with, in its order.
 * @param {string} path
 */
function candidates(path) {
  const address = path.replace(/\/$/, '');
  return [address, `${address}.html`, `${address}/index.html`];
}

/** @param {NodeJS.ProcessEnv} env */
function readAddress({ WEB_HOST: host = DEFAULTS.host, WEB_PORT: port = DEFAULTS.port }) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`WEB_PORT must be a port number from 0 to 65535, not "${port}".`);
  }
  return { host, port: Number(port) };
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
  const server = createSite(process.argv[2] ?? fileURLToPath(new URL('public', import.meta.url)));

  server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    const busy = `Port ${port} on ${host} is taken by another program: free it or set WEB_PORT.`;
    fail(error.code === 'EADDRINUSE' ? busy : error);
  });
  server.listen(port, host, () => {
    const { port: actual } = /** @type {import('node:net').AddressInfo} */ (server.address());
    log('info', 'site listening', { url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}` });
  });

  const stop = () => {
    server.close();
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), SHUTDOWN_MS).unref();
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
