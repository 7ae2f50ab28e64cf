/**
 * The local page that records. It listens on this machine only, and every path begins with a random key, so that no other
 * page in the browser can reach it. It loads nothing from elsewhere and sends nothing anywhere.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError } from '../../../dist/evaluation/input/input-error.js';
import { escapeHtml } from '../../../dist/evaluation/report/page-parts.js';
import { checkLabels } from './labels.mjs';
import { COLUMNS, MANIFEST } from './manifest.mjs';
import { jpegSize, limits } from './product.mjs';
import { Take } from './take.mjs';

const PAGE = fileURLToPath(new URL('recorder', import.meta.url));
const FILES = /** @type {const} */ ({
  '': ['index.html', 'text/html; charset=utf-8'],
  'record.js': ['record.js', 'text/javascript; charset=utf-8'],
  'style.css': ['style.css', 'text/css; charset=utf-8'],
});
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(self)',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const MOST_LABEL_BYTES = 4096;

/**
 * @param {{ folder: string, keeper: string, port: number, findFaces: import('./take.mjs').TakeOptions['findFaces'] }} options
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 * @throws InputError if the folder's manifest has other columns, or the port is in use
 */
export async function startRecorder({ folder, keeper, port, findFaces }) {
  checkManifest(folder);
  const recorder = new Recorder({ folder, keeper, findFaces });
  const key = randomBytes(12).toString('base64url');
  const server = createServer((request, response) => {
    const path = request.url?.startsWith(`/${key}/`) ? request.url.slice(key.length + 2) : undefined;
    recorder.respond(path, request).then(
      ({ status = 200, type = 'application/json', body }) =>
        response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body),
      (error) => {
        console.error(error);
        response.writeHead(500, HEADERS).end();
      },
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error) => {
    throw new InputError(`Port ${port} cannot be used (${error.code}): choose another with --port.`);
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${address.port}/${key}/`,
    stop: async () => {
      recorder.discardUnfinished();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** @param {string} folder @throws InputError */
function checkManifest(folder) {
  const file = join(folder, MANIFEST);
  if (existsSync(join(folder, 'recordings.json')))
    throw new InputError(`${folder} has a recordings.json: record into another folder.`);
  if (!existsSync(file)) return;
  const [header = ''] = readFileSync(file, 'utf8').split(/\r?\n/);
  if (header !== COLUMNS.join())
    throw new InputError(`${file} must begin with the columns ${COLUMNS}: record into another folder.`);
}

/** @typedef {{ status?: number, type?: string, body?: string | Buffer }} Reply */

/** @param {object} value @returns {Reply} */
const json = (value, status = 200) => ({ status, body: JSON.stringify(value) });
const NOT_FOUND = json({ fault: 'There is nothing here.' }, 404);

class Recorder {
  /** The only open recording: a new one discards one that was left. @type {{ id: string, take: Take } | undefined} */
  #open;
  #options;

  /** @param {{ folder: string, keeper: string, findFaces: import('./take.mjs').TakeOptions['findFaces'] }} options */
  constructor(options) {
    this.#options = options;
  }

  /** @param {string | undefined} path @param {import('node:http').IncomingMessage} request @returns {Promise<Reply>} */
  async respond(path, request) {
    const { method } = request;
    if (path === undefined) return NOT_FOUND;
    if (method === 'GET') return this.#file(path);
    if (method === 'POST' && path === 'takes') return this.#begin(await readBody(request, MOST_LABEL_BYTES));
    const [, id, action] = path.match(/^takes\/(\w+)\/(frames|keep|discard)$/) ?? [];
    if (method !== 'POST' || !this.#open || this.#open.id !== id) return NOT_FOUND;
    const { take } = this.#open;
    if (action === 'frames') return this.#add(take, await readBody(request, limits.frame.maxBytes));
    this.#open = undefined;
    if (action === 'keep') take.keep();
    else take.discard();
    return json({ path: take.path });
  }

  /** @param {string} path @returns {Reply} */
  #file(path) {
    if (!Object.hasOwn(FILES, path)) return NOT_FOUND;
    const [name, type] = FILES[path];
    const text = readFileSync(join(PAGE, name), 'utf8');
    return { type, body: text.replaceAll('{keeper}', escapeHtml(this.#options.keeper)) };
  }

  /** @param {Buffer | undefined} body @returns {Reply} */
  #begin(body) {
    const sent = body && parsed(body);
    if (sent?.consent !== true) return json({ fault: 'The consent is missing.' }, 400);
    const checked = checkLabels(sent.labels);
    if ('fault' in checked) return json(checked, 400);
    this.discardUnfinished();
    const consentedAt = new Date().toISOString();
    const id = `${consentedAt.replace(/\D/g, '').slice(0, 14)}_${randomBytes(3).toString('hex')}`;
    const about = { consentedAt, keeper: this.#options.keeper, camera: cameraOf(sent.camera) };
    const { folder, findFaces } = this.#options;
    const take = new Take({ folder, id, findFaces, labels: checked.labels, about });
    this.#open = { id, take };
    return json({ id, frameIntervalMs: limits.attempt.frameIntervalMs, ...take.view() }, 201);
  }

  /** @param {Take} take @param {Buffer | undefined} jpeg @returns {Promise<Reply>} */
  async #add(take, jpeg) {
    if (!jpeg || !jpegSize(jpeg)) return json({ fault: 'A frame must be a JPEG.' }, 400);
    return json(take.view().over ? take.view() : await take.add(jpeg));
  }

  discardUnfinished() {
    this.#open?.take.discard();
    this.#open = undefined;
  }
}

/** @param {Buffer} body @returns {any} */
function parsed(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The page's report of its camera: the verdict reads the label. @param {unknown} sent */
function cameraOf(sent) {
  const { label, width, height, frameRate } = /** @type {Record<string, unknown>} */ (sent ?? {});
  return {
    ...(typeof label === 'string' && { label: label.slice(0, 256) }),
    ...Object.fromEntries(
      Object.entries({ width, height, frameRate }).filter(([, n]) => typeof n === 'number'),
    ),
  };
}

/** @param {import('node:http').IncomingMessage} request @param {number} most bytes @returns {Promise<Buffer | undefined>} */
async function readBody(request, most) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= most) chunks.push(chunk);
  }
  return length <= most ? Buffer.concat(chunks) : undefined;
}
