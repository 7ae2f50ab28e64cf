/** Security headers of each page. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from './static-files.mjs';

/**
 * The pages that may call the API, with the sources that each may use. Any https origin may provide the logo of the
 * account that requested a check. The console draws on images that people choose, which have blob addresses.
 * @type {Readonly<Record<string, (apiOrigin: string) => Record<string, string>>>}
 */
const API_PAGES = {
  '/verify/index.html': (apiOrigin) => ({
    'connect-src': `'self' ${apiOrigin}`,
    'img-src': `'self' data: https:`,
  }),
  '/console/index.html': (apiOrigin) => ({
    'connect-src': `'self' ${namesOf(apiOrigin).join(' ')}`,
    'img-src': `'self' data: blob:`,
  }),
  '/status/index.html': (apiOrigin) => ({ 'connect-src': `'self' ${apiOrigin}` }),
};
const CAMERA_PAGES = ['/verify/index.html', '/console/index.html'];

/** Both names of this machine, if the API runs on it: the console calls it by the name of its own address. @param {string} origin */
function namesOf(origin) {
  const [, port] = /^http:\/\/(?:localhost|127\.0\.0\.1)(:\d+)?$/.exec(origin) ?? [];
  return port === undefined ? [origin] : [`http://127.0.0.1${port}`, `http://localhost${port}`];
}

/**
 * The security headers of each HTML file, by address.
 *
 * Gatsby writes scripts and styles into its HTML (the page's path, the chunk list, the critical CSS), and they
 * differ between pages. Allowing all inline code would defeat the policy, and a nonce
 * needs HTML that is rendered per request. So each page's policy lists the hashes of its own inline code. The
 * document keeps its policy while Gatsby changes views, which load their code from files.
 * @param {string} publicDir
 * @param {{ apiUrl: string }} settings
 * @returns {(file: string) => Record<string, string>}
 */
export function readPolicies(publicDir, { apiUrl }) {
  /** @type {Map<string, Record<string, string>>} */
  const policies = new Map();
  for (const address of filesOf(publicDir)) {
    if (!address.endsWith('.html')) continue;
    const html = readFileSync(join(publicDir, address), 'utf8');
    const apiSources = API_PAGES[address]?.(new URL(apiUrl).origin);
    policies.set(address, {
      'Content-Security-Policy': policyFor(html, apiSources ?? analyticsSources(html)),
      'Permissions-Policy': `camera=${CAMERA_PAGES.includes(address) ? '(self)' : '()'}, microphone=(), geolocation=()`,
    });
  }
  return (file) => policies.get(file) ?? {};
}

/**
 * Pages of a build with ANALYTICS_URL contain the endpoint for events.
 * @param {string} html
 * @returns {Record<string, string>}
 */
function analyticsSources(html) {
  const [meta] = /<meta[^>]*\sname="analytics-endpoint"[^>]*>/.exec(html) ?? [];
  const [, address] = /\scontent="([^"]*)"/.exec(meta ?? '') ?? [];
  return address ? { 'connect-src': `'self' ${new URL(address).origin}` } : {};
}

/** @param {string} html @param {Record<string, string>} pageDirectives directives of this page, which replace the general ones */
function policyFor(html, pageDirectives) {
  const scripts = hashAll(html, /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g);
  const styles = hashAll(html, /<style[^>]*>([\s\S]*?)<\/style>/g);
  const attributes = hashAll(html, /<[a-z][^>]*\sstyle="([^"]*)"/g);
  const directives = {
    'default-src': `'self'`,
    'script-src': `'self' ${scripts.join(' ')}`,
    // Hashes reach style attributes (Gatsby sets two) only with 'unsafe-hashes'; it allows nothing else.
    'style-src': `'self' 'unsafe-hashes' ${[...styles, ...attributes].join(' ')}`,
    'img-src': `'self' data:`,
    'object-src': `'none'`,
    'base-uri': `'none'`,
    'form-action': `'self'`,
    'frame-ancestors': `'none'`,
    ...pageDirectives,
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources}`)
    .join(';');
}

/** @param {string} html @param {RegExp} pattern */
function hashAll(html, pattern) {
  const sources = new Set([...html.matchAll(pattern)].map(([, text = '']) => text));
  return [...sources].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
