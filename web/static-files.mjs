/** Sends the files of a folder, each compressed by the build in the encoding that the browser prefers. */
import { readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import accepts from 'accepts';
import mime from 'mime-types';
import send from 'send';

/** Best first. */
const SUFFIXES = { br: '.br', gzip: '.gz' };

/**
 * @typedef {object} Options
 * @property {(path: string) => Record<string, string>} headersOf headers of a file, such as `/docs/index.html`
 * @property {(res: import('node:http').ServerResponse) => void} sendMissing responds to a path without a file
 * @property {(error: Error) => void} onError receives the error of a file that cannot be read, such as a file that a
 *   new build has replaced. The client gets status 503.
 */

/** The files in a folder and all below it, such as `/docs/index.html`. @param {string} folder */
export const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      // Node 20.9 names the folder `path`, later versions `parentPath`.
      const file = join(entry.parentPath ?? entry.path, entry.name);
      return `/${relative(folder, file).split(sep).join('/')}`;
    });

/**
 * Reads the names in the folder now. Nothing else is sent, so no path leads out of the folder.
 * @param {string} folder
 * @param {Options} options
 */
export function createFiles(folder, { headersOf, sendMissing, onError }) {
  const files = new Set(filesOf(folder));

  /** @param {string} path @returns {string | undefined} */
  const fileAt = (path) => {
    const page = path.replace(/\/$/, '');
    return [page, `${page}.html`, `${page}/index.html`].find((file) => files.has(file));
  };

  /** @param {import('node:http').IncomingMessage} req @param {import('node:http').ServerResponse} res */
  return (req, res) => {
    const path = decode(req.url ?? '/');
    const file = path === undefined ? undefined : fileAt(path);
    if (!file) return sendMissing(res);
    const encodings = Object.entries(SUFFIXES).filter(([, suffix]) => files.has(file + suffix));
    const encoding = accepts(req).encodings(encodings.map(([name]) => name));
    const suffix = encodings.find(([name]) => name === encoding)?.[1];

    const type = mime.contentType(extname(file));
    const headers = {
      ...(type && { 'Content-Type': type }),
      ...(encodings.length > 0 && { Vary: 'Accept-Encoding' }),
      ...(suffix && { 'Content-Encoding': String(encoding) }),
      ...headersOf(file),
    };
    send(req, encodeURI(file + (suffix ?? '')), {
      root: folder,
      acceptRanges: false,
      cacheControl: false,
      dotfiles: 'allow',
      index: false,
    })
      .on('headers', () => res.setHeaders(new Map(Object.entries(headers))))
      .on('error', (/** @type {Error & { status?: number }} */ error) => {
        if (error.status === 412) return res.writeHead(412).end();
        onError(error);
        for (const name of [...Object.keys(headers), 'ETag', 'Last-Modified', 'Content-Length'])
          res.removeHeader(name);
        res.writeHead(503, { 'Cache-Control': 'no-store', 'Retry-After': '1' }).end();
      })
      .pipe(res);
  };
}

/** @param {string} url @returns {string | undefined} its path, unless its percent-encoding is invalid */
function decode(url) {
  try {
    return decodeURIComponent(/** @type {string} */ (url.split('?')[0]));
  } catch {
    return undefined;
  }
}
