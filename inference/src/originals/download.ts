/**
 * Downloads one file. Writes it to `PATH.partial`, hashes it on the way and renames it when it is complete and has the
 * expected hash. After a broken connection it requests the rest (RFC 9110, range requests).
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open as openFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';

/** @param total undefined where the server does not send it. */
export type Progress = (received: number, total: number | undefined) => void;

export interface Download {
  /** https only, redirects too. */
  readonly url: string;
  /** Default: any. */
  readonly sha256?: string;
  /** Path of the file; its folder must exist. */
  readonly path: string;
  readonly maxBytes?: number;
  /** How long the server may be silent, in milliseconds, from the connection on. */
  readonly silenceMs?: number;
  /** Ends the download; the received part is kept. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: Progress | undefined;
  readonly request?: (
    url: URL,
    options: RequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ) => ClientRequest;
}

/** The largest Protocol Buffers message, and so the largest ONNX file. */
const defaultMaxBytes = 2 ** 31;
const defaultSilenceMs = 30_000;
const maxRedirects = 5;
/** Connections for one file; each must have received bytes, or no other is tried. */
const maxConnections = 5;

/** The connection ended early; the received part is kept. */
class BrokenOff extends Error {}
/** The received bytes are not the file; nothing is kept. */
class Unusable extends Error {}

/**
 * @throws Error, one sentence without the address's path and query, which may hold secrets. After a wrong hash or too
 * many bytes nothing is kept; after a broken connection the next call resumes.
 */
export async function download(options: Download): Promise<void> {
  const partial = new Partial(options.path);
  const { host } = new URL(options.url);
  for (let connection = 1; ; connection++) {
    const before = await partial.size();
    try {
      await receive(options, partial);
      break;
    } catch (error) {
      if (error instanceof Unusable) await partial.remove();
      if (!(error instanceof BrokenOff) || options.signal?.aborted) throw error;
      const after = await partial.size();
      if (connection === maxConnections || after <= before) {
        if (after === 0) throw new Error(`${host} sent nothing (${error.message})`);
        throw new Error(
          `${host} broke off after ${after} bytes (${error.message}); run the same command again to go on from there`,
        );
      }
    }
  }
  await partial.finish();
}

/** Removes what an unfinished download to this path has received. */
export const removePartial = (path: string): Promise<void> => new Partial(path).remove();

/** The received part of the file, and beside it the validator of its version on the server. */
class Partial {
  readonly path: string;
  private readonly validatorPath: string;

  constructor(private readonly target: string) {
    this.path = `${target}.partial`;
    this.validatorPath = `${target}.partial.validator`;
  }

  async size(): Promise<number> {
    const stats = await stat(this.path).catch(() => undefined);
    return stats?.size ?? 0;
  }

  /** ETag or date of the received version; undefined where the server sent none. */
  async validator(): Promise<string | undefined> {
    return readFile(this.validatorPath, 'utf8').catch(() => undefined);
  }

  /** Starts over. */
  async begin(validator: string | undefined): Promise<void> {
    await this.remove();
    if (validator !== undefined) await writeFile(this.validatorPath, validator);
  }

  async remove(): Promise<void> {
    await Promise.all([this.path, this.validatorPath].map((path) => rm(path, { force: true })));
  }

  async finish(): Promise<void> {
    await rename(this.path, this.target);
    await rm(this.validatorPath, { force: true });
  }
}

/** One connection: appends its bytes, and checks the hash when the file is complete. */
async function receive(options: Download, partial: Partial): Promise<void> {
  const { host } = new URL(options.url);
  const validator = await partial.validator();
  const have = validator === undefined ? 0 : await partial.size();
  const rest = validator !== undefined && have > 0;
  const response = await open(options, rest ? { range: `bytes=${have}-`, 'if-range': validator } : {});
  const { statusCode, headers } = response;
  const resumed = rest && statusCode === 206 && rangeStart(response) === have;
  if (statusCode !== 200 && !resumed) {
    response.destroy();
    if (rest && (statusCode === 206 || statusCode === 416)) {
      // The received part is not the start of the server's file.
      await partial.remove();
      return receive(options, partial);
    }
    throw new Error(`${host} responds with ${statusCode} instead of the file`);
  }
  if (!resumed) await partial.begin(validatorOf(response));
  const start = resumed ? have : 0;
  const length = headers['content-length'];
  const total = length === undefined ? undefined : start + Number(length);
  const hash = await hashOf(partial.path, start);
  const received = await append(response, { options, path: partial.path, hash, start, total });
  if (total !== undefined && received < total) throw new BrokenOff('the connection was closed');
  const actual = hash.digest('hex');
  if (options.sha256 !== undefined && actual !== options.sha256) {
    throw new Unusable(`the file from ${host} has SHA-256 ${actual}, the manifest says ${options.sha256}`);
  }
}

interface Append {
  readonly options: Download;
  readonly path: string;
  readonly hash: Hash;
  readonly start: number;
  readonly total: number | undefined;
}

/** @returns the size of the file so far. */
async function append(
  response: IncomingMessage,
  { options, path, hash, start, total }: Append,
): Promise<number> {
  const { url, maxBytes = defaultMaxBytes, onProgress } = options;
  const tooMany = () => new Unusable(`${new URL(url).host} sends more than ${maxBytes} bytes`);
  if (total !== undefined && total > maxBytes) {
    response.destroy();
    throw tooMany();
  }
  let received = start;
  const file = await openFile(path, 'a');
  try {
    for await (const chunk of chunksOf(response)) {
      received += chunk.length;
      if (received > maxBytes) throw tooMany();
      hash.update(chunk);
      await file.appendFile(chunk);
      onProgress?.(received, total);
    }
  } finally {
    await file.close();
  }
  return received;
}

/** The body of a response. Only errors that come from here are the connection's. */
async function* chunksOf(response: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* response;
  } catch (error) {
    throw new BrokenOff((error as Error).message);
  }
}

/** Follows redirects to the response. */
async function open(options: Download, headers: Record<string, string>): Promise<IncomingMessage> {
  let url = new URL(options.url);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (url.protocol !== 'https:')
      throw new Error(`${new URL(options.url).host} leads to ${url.protocol}//, only https is followed`);
    const response = await send(url, options, headers);
    const { location } = response.headers;
    if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined)
      return response;
    response.destroy();
    url = new URL(location, url);
  }
  throw new Error(`${new URL(options.url).host} redirects more than ${maxRedirects} times`);
}

function send(
  url: URL,
  { request = httpsRequest, silenceMs = defaultSilenceMs, signal }: Download,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let received: IncomingMessage | undefined;
    const options = {
      // The hash is that of the uncompressed file.
      headers: { 'accept-encoding': 'identity', ...headers },
      agent: false as const,
      // This timeout counts while the connection is made, too.
      timeout: silenceMs,
      ...(signal && { signal }),
    };
    const sent = request(url, options, (response) => {
      received = response;
      resolve(response);
    });
    sent.on('timeout', () => {
      const silent = new Error(`no data for ${silenceMs / 1000} s`);
      if (received) received.destroy(silent);
      else sent.destroy(silent);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => reject(new BrokenOff(error.code ?? error.message)));
    sent.end();
  });
}

/** The ETag unless it is weak, which a range must not rely on; else the date. */
function validatorOf({ headers }: IncomingMessage): string | undefined {
  const { etag } = headers;
  return etag !== undefined && !etag.startsWith('W/') ? etag : headers['last-modified'];
}

function rangeStart({ headers }: IncomingMessage): number | undefined {
  const [, start] = headers['content-range']?.match(/^bytes (\d+)-/) ?? [];
  return start === undefined ? undefined : Number(start);
}

/** The state of the hash after the first bytes of a file. */
async function hashOf(path: string, bytes: number): Promise<Hash> {
  const hash = createHash('sha256');
  if (bytes === 0) return hash;
  for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk);
  return hash;
}
