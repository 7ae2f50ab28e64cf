/** Only pages of the console may make calls with its cookie. */
import type { RequestHandler } from 'express';
import { ConsoleError } from '../errors';
import { originsOfSite } from '../formats/origins';

/** How long a browser may cache the preflight, in seconds. */
const maxAge = '600';
const sameSite = new Set(['same-origin', 'same-site']);

/**
 * Lets pages of the console's origin make calls with the cookie (Fetch Standard, 3.2), and refuses changes by anything else:
 * browsers send Origin with each of them, and no page can forge it.
 * @throws ConsoleError FOREIGN_ORIGIN
 */
export function onlyFrom(consoleOrigin: string): RequestHandler {
  const origins = originsOfSite(consoleOrigin);
  return (req, res, next) => {
    res.vary('Origin');
    res.set('Cache-Control', 'no-store');
    const { origin } = req.headers;
    const isOwn = origin !== undefined && origins.includes(origin);
    if (isOwn) {
      res.set('Access-Control-Allow-Origin', origin);
      res.set('Access-Control-Allow-Credentials', 'true');
      res.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id');
    }
    if (req.method === 'OPTIONS') {
      res.set('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE');
      res.set('Access-Control-Allow-Headers', 'Content-Type');
      res.set('Access-Control-Max-Age', maxAge);
      res.status(204).end();
      return;
    }
    const site = req.headers['sec-fetch-site'];
    const isForeign = site !== undefined && !sameSite.has(String(site));
    const changes = req.method !== 'GET' && req.method !== 'HEAD';
    if (isForeign || (changes && !isOwn)) throw new ConsoleError('FOREIGN_ORIGIN');
    next();
  };
}
