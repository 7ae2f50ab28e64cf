/** Downloads from a real server over TLS on this machine. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSigned } from '../../test/self-signed';
import { type Download, download } from './download';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const file = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 251));
const sha256 = createHash('sha256').update(file).digest('hex');
const certificate = selfSigned();

let server: Server;
let origin: string;
let handler: Handler;
let asked: { url: string; range: string | undefined; ifRange: string | undefined }[];
let folder: string;
let path: string;

beforeAll(async () => {
  server = createServer(certificate, (req, res) => {
    asked.push({
      url: req.url ?? '',
      range: req.headers.range,
      ifRange: req.headers['if-range'] as string | undefined,
    });
    handler(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
beforeEach(async () => {
  asked = [];
  folder = await mkdtemp(join(tmpdir(), 'download-'));
  path = join(folder, 'model.onnx');
});
afterEach(() => rm(folder, { recursive: true }));

const get = (changes: Partial<Download> = {}) =>
  download({
    url: `${origin}/model.onnx?token=secret`,
    sha256,
    path,
    request: (url, options, onResponse) => request(url, { ...options, ca: certificate.cert }, onResponse),
    ...changes,
  });

/** Serves the file as a server with ranges does; the first `cut.length` responses end after so many bytes. */
function withRanges(cuts: readonly number[] = [], etag = '"v1"'): Handler {
  let responses = 0;
  return (req, res) => {
    const [, from] = req.headers.range?.match(/^bytes=(\d+)-$/) ?? [];
    const start = req.headers['if-range'] === etag ? Number(from ?? 0) : 0;
    const part = file.subarray(start);
    res.writeHead(start > 0 ? 206 : 200, {
      etag,
      'content-length': part.length,
      ...(start > 0 ? { 'content-range': `bytes ${start}-${file.length - 1}/${file.length}` } : {}),
    });
    const cut = cuts[responses++];
    if (cut === undefined) res.end(part);
    else res.write(part.subarray(0, cut), () => res.destroy());
  };
}

/** Compares all bytes at once, which takes Jest a second one by one. */
const expectFile = async () => expect(file.equals(await readFile(path))).toBe(true);

const failure = async (changes?: Partial<Download>) => {
  const error = await get(changes).then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).not.toContain('secret');
  return (error as Error).message;
};

test('downloads a whole file with progress and leaves no other file', async () => {
  handler = withRanges();
  const seen: [number, number | undefined][] = [];
  await get({ onProgress: (...progress) => seen.push(progress) });
  await expectFile();
  expect(seen.at(-1)).toEqual([file.length, file.length]);
  expect(seen.map(([received]) => received)).toEqual(
    seen.map(([received]) => received).sort((a, b) => a - b),
  );
  expect(await readdir(folder)).toEqual(['model.onnx']);
});

test('requests the rest after a broken connection', async () => {
  handler = withRanges([100_000]);
  await get();
  await expectFile();
  expect(asked).toHaveLength(2);
  expect(asked[0]).toMatchObject({ range: undefined });
  expect(asked[1]).toMatchObject({ range: expect.stringMatching(/^bytes=[1-9]\d*-$/), ifRange: '"v1"' });
});

test('a later call resumes where an earlier one broke off', async () => {
  handler = withRanges([100_000, 0, 0]);
  expect(await failure()).toMatch(/^localhost:\d+ broke off after \d+ bytes .*; run the same command again/);
  const { size } = await stat(`${path}.partial`);
  expect(size).toBeGreaterThan(0);
  asked = [];
  handler = withRanges();
  await get();
  await expectFile();
  expect(asked).toEqual([expect.objectContaining({ range: `bytes=${size}-` })]);
});

test('restarts the download of a file that changed on the server', async () => {
  handler = withRanges([100_000, 0, 0], '"old"');
  await failure();
  handler = withRanges([], '"new"');
  await get();
  await expectFile();
});

test('discards a part that the server cannot resume from', async () => {
  await writeFile(`${path}.partial`, Buffer.alloc(file.length + 10));
  await writeFile(`${path}.partial.validator`, '"v1"');
  const whole = withRanges();
  handler = (req, res) => (req.headers.range ? res.writeHead(416).end() : whole(req, res));
  await get();
  await expectFile();
});

test('downloads the whole file again from a server without ranges', async () => {
  let responses = 0;
  let cut: (() => void) | undefined;
  handler = (_, res) => {
    res.writeHead(200, { 'content-length': file.length });
    if (responses++ > 0) return res.end(file);
    // The connection ends once the client has stored some bytes, not while they are on the way.
    cut = () => res.destroy();
    res.write(file.subarray(0, 50_000));
  };
  await get({ onProgress: () => cut?.() });
  await expectFile();
  expect(asked.map(({ range }) => range)).toEqual([undefined, undefined]);
});

test('another file is refused with both hashes, and removed', async () => {
  handler = withRanges();
  expect(await failure({ sha256: '0'.repeat(64) })).toContain(
    `has SHA-256 ${sha256}, the manifest says ${'0'.repeat(64)}`,
  );
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['announced', (res: ServerResponse) => res.writeHead(200, { 'content-length': file.length }).end(file)],
  ['not announced', (res: ServerResponse) => res.writeHead(200).end(file)],
])('too many bytes, %s', async (_, respond) => {
  handler = (_req, res) => respond(res);
  expect(await failure({ maxBytes: 100_000 })).toContain('sends more than 100000 bytes');
  expect(await readdir(folder)).toEqual([]);
});

test.each([404, 403, 500])('names status %i and keeps the received part', async (status) => {
  handler = withRanges([100_000, 0, 0]);
  await failure();
  handler = (_, res) => res.writeHead(status).end();
  expect(await failure()).toMatch(new RegExp(`^localhost:\\d+ responds with ${status} instead of the file$`));
  expect(existsSync(`${path}.partial`)).toBe(true);
});

test('stops waiting for a silent server', async () => {
  handler = (_, res) => {
    res.writeHead(200, { etag: '"v1"', 'content-length': file.length });
    res.write(file.subarray(0, 1000));
  };
  expect(await failure({ silenceMs: 300 })).toContain('broke off after 1000 bytes (no data for 0.3 s)');
});

test('reports an unreachable server', async () => {
  expect(await failure({ url: 'https://localhost:1/model.onnx' })).toBe(
    'localhost:1 sent nothing (ECONNREFUSED)',
  );
});

test('refuses an untrusted certificate', async () => {
  handler = withRanges();
  expect(await failure({ request })).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT/);
  expect(asked).toEqual([]);
});

describe('redirects', () => {
  const redirect =
    (location: string): Handler =>
    (req, res) =>
      req.url?.startsWith('/model') ? res.writeHead(302, { location }).end() : withRanges()(req, res);

  test('follows redirects', async () => {
    handler = redirect('/elsewhere');
    await get();
    await expectFile();
  });

  test('follows no redirect away from https', async () => {
    handler = redirect('http://localhost/elsewhere');
    expect(await failure()).toContain('only https is followed');
  });

  test('follows at most five redirects', async () => {
    handler = redirect('/model-again');
    expect(await failure()).toContain('redirects more than 5 times');
    expect(asked).toHaveLength(6);
  });
});

test('an address without TLS is refused', async () => {
  expect(await failure({ url: 'http://localhost/model.onnx' })).toContain('only https');
  expect(asked).toEqual([]);
});
