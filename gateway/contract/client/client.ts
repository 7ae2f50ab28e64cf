/**
 * The API as functions, for a backend that holds the API key. Every method resolves to the typed response envelope and
 * throws a PresenzaError otherwise. `operations.ts`, generated from the contract, declares the methods. The code uses
 * nothing specific to Node.js, so that load scripts can run it in k6.
 */

import type { Batch, BatchOutcome, TypedBatchResponse } from './batch.ts';
import { batchStream } from './batch-stream.ts';
import { type CallContext, type CallRequest, call, failureOf, type Operation, sleepFor } from './call.ts';
import { withDataUris } from './data-uri.ts';
import { PresenzaError } from './errors.ts';
import { everyItem } from './every-item.ts';
import { fetchTransport } from './fetch-transport.ts';
import { OPERATIONS, type Operations } from './operations.ts';
import type { CallOptions, ClientOptions, PostOptions } from './options.ts';
import { parseSuccess, readText } from './response.ts';

export interface PresenzaClient extends Omit<Operations, 'batch'> {
  batch(request: Batch, options?: PostOptions): Promise<TypedBatchResponse>;
  /** Yields results as soon as they are ready. The client stops retrying after the first one. */
  batchStream(request: Batch, options?: PostOptions): AsyncIterableIterator<BatchOutcome>;
}

const singleTimeoutMs = 60_000;
/** The service may process a batch for a minute, and the upload takes additional time. */
const batchTimeoutMs = 180_000;

/**
 * @throws {PresenzaError} INVALID_PARAMETERS if baseUrl is not a URL, or INVALID_API_KEY if the key has characters that are
 *   not allowed in headers
 */
export function createClient(options: ClientOptions): PresenzaClient {
  const baseUrl = String(options.baseUrl).replace(/\/+$/, '');
  if (!isWebUrl(baseUrl)) throw wrongValue('baseUrl', 'an http or https URL');
  const authorization = `Bearer ${headerValue('apiKey', options.apiKey)}`;
  const { transport = fetchTransport, retries = 3, random = Math.random } = options;
  const { sleep = sleepFor, now = Date.now } = options;
  const contextOf = (operation: Operation, callOptions: CallOptions): CallContext => {
    const standardMs = operation === OPERATIONS.batch ? batchTimeoutMs : singleTimeoutMs;
    const timeoutMs = callOptions.timeoutMs ?? options.timeoutMs ?? standardMs;
    return { transport, retries, timeoutMs, random, sleep, now };
  };

  const requestOf = ({ method }: Operation, { path, body, callOptions }: Arguments): CallRequest => ({
    method,
    url: baseUrl + path,
    headers: {
      accept: 'application/json',
      authorization,
      ...(callOptions.requestId === undefined
        ? {}
        : { 'x-request-id': headerValue('requestId', callOptions.requestId) }),
      ...(method === 'POST'
        ? {
            'content-type': 'application/json',
            'idempotency-key': headerValue('idempotencyKey', callOptions.idempotencyKey ?? uniqueKey(random)),
          }
        : {}),
    },
    body,
    signal: callOptions.signal,
  });

  const send = async (operation: Operation, args: readonly unknown[]): Promise<unknown> => {
    const parsed = await argumentsOf(operation, args);
    return call(contextOf(operation, parsed.callOptions), requestOf(operation, parsed), async (response) =>
      parseSuccess(response, await readText(response)),
    );
  };
  const methods = Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, operation]) => [
      name,
      (...args: unknown[]) => send(operation, args),
    ]),
  ) as unknown as Omit<PresenzaClient, 'batchStream'>;

  const iterators = Object.fromEntries(
    Object.entries(OPERATIONS)
      .filter(([, { query = [] }]) => query.includes('cursor'))
      .map(([name, operation]) => [
        name.replace(/^list/, 'all'),
        (...args: unknown[]) => everyItem((cursor) => send(operation, withCursor(operation, args, cursor))),
      ]),
  );

  return {
    ...methods,
    ...iterators,
    batchStream: (request, callOptions = {}) => {
      const operation = OPERATIONS.batch;
      const open = async () => {
        const { headers, ...rest } = requestOf(
          operation,
          await argumentsOf(operation, [request, callOptions]),
        );
        const streamed = { ...rest, headers: { ...headers, accept: 'application/x-ndjson' } };
        return call(contextOf(operation, callOptions), streamed, async (response) => response);
      };
      return batchStream({
        open,
        count: request?.operations?.length ?? 0,
        failure: (error) => failureOf(error, callOptions.signal),
        now,
      });
    },
  };
}

interface Arguments {
  /** The path with ids and query string. */
  readonly path: string;
  readonly body: string | undefined;
  readonly callOptions: PostOptions;
}

/**
 * Reads the arguments of a method: the ids in the path, then the body of a POST, then the options.
 * @throws {PresenzaError} INVALID_PARAMETERS if they cannot be sent, or INVALID_IMAGE
 */
async function argumentsOf(operation: Operation, args: readonly unknown[]): Promise<Arguments> {
  try {
    return await encoded(operation, args);
  } catch (cause) {
    if (cause instanceof PresenzaError) throw cause;
    const message = 'The arguments of the call cannot be sent as JSON.';
    throw new PresenzaError({ code: 'INVALID_PARAMETERS', message, cause });
  }
}

async function encoded(
  { method, path, query = [], isEmpty = false }: Operation,
  args: readonly unknown[],
): Promise<Arguments> {
  const rest = [...args];
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(String(rest.shift())));
  const request = method === 'POST' && !isEmpty ? rest.shift() : undefined;
  const body = method === 'POST' ? JSON.stringify(await withDataUris(request ?? {})) : undefined;
  const callOptions = (rest.shift() ?? {}) as PostOptions & Readonly<Record<string, unknown>>;
  const fields = query
    .filter((name) => callOptions[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(String(callOptions[name]))}`);
  return {
    path: fields.length === 0 ? filled : `${filled}?${fields.join('&')}`,
    body,
    callOptions,
  };
}

/** The arguments of a list for the page that begins at a cursor, or for the first page. */
function withCursor({ path }: Operation, args: readonly unknown[], cursor: string | undefined): unknown[] {
  const ids = path.match(/\{\w+\}/g)?.length ?? 0;
  const options = args[ids] as object | undefined;
  return [...args.slice(0, ids), cursor === undefined ? options : { ...options, cursor }];
}

/** Validates here, because an error of fetch would contain the value, such as the API key. */
function headerValue(name: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[!-~]+$/.test(value))
    throw wrongValue(name, 'visible ASCII characters');
  return value;
}

/** k6 has no URL. */
const isWebUrl = (text: string) =>
  /^https?:\/\/[^/]/i.test(text) && (typeof URL === 'undefined' || URL.canParse(text));

function wrongValue(param: string, expected: string): PresenzaError {
  const code = param === 'apiKey' ? 'INVALID_API_KEY' : 'INVALID_PARAMETERS';
  return new PresenzaError({ code, param, message: `${param} must be ${expected}.` });
}

/** Returns a UUID, or as many random digits if the runtime cannot generate one. */
function uniqueKey(random: () => number): string {
  if (typeof globalThis.crypto?.randomUUID === 'function') return globalThis.crypto.randomUUID();
  return Array.from({ length: 32 }, () => Math.floor(16 * random()).toString(16)).join('');
}
