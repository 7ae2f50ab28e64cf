// Tests the client against a small server with the contract's examples, and with a fake clock.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type BatchOutcome, type ClientOptions, createClient, dataUri, PresenzaError } from './index';

// biome-ignore lint/suspicious/noExplicitAny: examples and the API description are walked freely
type Doc = any;
const read = (path: string): Doc => JSON.parse(readFileSync(join(__dirname, '..', path), 'utf8'));
const example = (name: string): Doc => read(`examples/${name}.json`);

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Reply = (response: ServerResponse, request: IncomingMessage) => void;

const apiKey = 'presenza_test_secretsecretsecret';
const start = Date.parse('2026-01-15T10:30:00Z');
let server: Server;
/** The start of every URL of one test. */
let base = '';
let number = 0;
let received: Received[];
let replies: Reply[];
let slept: number[];
let clock: number;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    try {
      for await (const piece of request) body += piece;
    } catch {
      return; // The client gave up while it was sending.
    }
    // A request that a test aborted may arrive during the next test.
    if (!request.url!.startsWith(`${base}/`)) return void response.writeHead(404).end();
    const url = request.url!.slice(base.length);
    received.push({ method: request.method!, url, headers: request.headers, body });
    replies.shift()!(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  base = `/test-${++number}`;
  [received, replies, slept, clock] = [[], [], [], start];
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
const client = (options: Partial<ClientOptions> = {}) =>
  createClient({
    baseUrl: urlOf(),
    apiKey,
    random: () => 0.5,
    now: () => clock,
    sleep: async (ms) => {
      slept.push(ms);
      clock += ms;
    },
    ...options,
  });

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (name: string, status: number, headers?: Record<string, string>) =>
  json(status, example(`error-response--${name}`), headers);
const text =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
const hangUp: Reply = (response) => response.destroy();

const image = example('detect-request').image;
const detect = (options?: Partial<ClientOptions>, callOptions?: object) =>
  client(options).detect({ image }, callOptions);
/** The error that a call throws. */
const errorOf = (promise: Promise<unknown>): Promise<PresenzaError> =>
  promise.then(
    () => Promise.reject(new Error('The call succeeded.')),
    (error) => error,
  );
/** A PresenzaError with this code that no response caused. */
const coded = (code: string) => expect.objectContaining({ name: 'PresenzaError', code, status: undefined });
const keys = () => received.map(({ headers }) => headers['idempotency-key']);

describe('operations', () => {
  // Other methods are named after their operation.
  const shortNames: Record<string, string> = {
    getHealth: 'health',
    getHealthHistory: 'healthHistory',
    detectFaces: 'detect',
    compareFaces: 'compare',
    moderateImage: 'moderate',
    runBatch: 'batch',
    getUsage: 'usage',
  };
  const { paths, components } = read('openapi.json');
  const deref = (parameter: Doc) => components.parameters[parameter.$ref?.split('/').at(-1)] ?? parameter;
  const exampleOf = ({ content }: Doc) =>
    read(Object.values<Doc>(content['application/json'].examples)[0].externalValue);
  // The client holds an API key. Calls that need an access token are for pages and apps.
  const withKey = ({ security }: Doc) =>
    security.length === 0 || security.some((requirement: Doc) => requirement.apiKey);
  const documented = Object.entries<Doc>(paths).flatMap(([path, item]) =>
    ['get', 'post', 'put', 'patch', 'delete']
      .filter((method) => item[method] && withKey(item[method]))
      .map((method) => ({
        ...item[method],
        name: shortNames[item[method].operationId] ?? item[method].operationId,
        method: method.toUpperCase(),
        path,
        parameters: (item[method].parameters ?? []).map(deref),
      })),
  );
  const methods = (target: object) => target as Record<string, (...args: unknown[]) => Promise<unknown>>;

  test('the client has a method for every operation that takes an API key, and no others', () => {
    // batchStream is runBatch in another media type, and a list has an iterator over all pages.
    const iterators = documented
      .filter(({ name }) => name.startsWith('list'))
      .map(({ name }) => name.replace(/^list/, 'all'));
    const names = [...documented.map(({ name }) => name), 'batchStream', ...iterators];
    expect(Object.keys(client()).sort()).toEqual(names.sort());
  });

  test.each(documented)('$name: $method $path', async ({ name, method, path, ...operation }) => {
    const { parameters, requestBody, responses } = operation;
    const ids: string[] = (path.match(/\{\w+\}/g) ?? []).map((id: string) => `${id}/?`);
    const request = requestBody && exampleOf(requestBody);
    // The query string of a raw image repeats fields of the JSON body.
    const query = parameters.filter(
      (parameter: Doc) => parameter.in === 'query' && !requestBody?.content['image/*'],
    );
    const options = Object.fromEntries(query.map((parameter: Doc) => [parameter.name, parameter.example]));
    const response = exampleOf(responses['200']);
    replies = [json(200, response)];
    const run = methods(client())[name]!;
    expect(await run(...ids, ...(request ? [request] : []), options)).toEqual(response);
    expect(received).toHaveLength(1);
    const { headers, body, ...line } = received[0]!;
    const filled = ids.reduce((url, id) => url.replace(/\{\w+\}/, encodeURIComponent(id)), path);
    const search = new URLSearchParams(options).toString();
    expect(line).toEqual({ method, url: search ? `${filled}?${search}` : filled });
    expect(headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(headers.accept).toBe('application/json');
    expect(body).toBe(request ? JSON.stringify(request) : '');
    expect(headers['content-type']).toBe(request && 'application/json');
    const idempotent = parameters.some((parameter: Doc) => parameter.name === 'Idempotency-Key');
    expect(headers['idempotency-key'] !== undefined).toBe(idempotent);
  });

  test('it sends month, ids and values unchanged, and accepts a prefix and a slash in the base URL', async () => {
    replies = [json(200, example('usage-response')), json(200, example('liveness-response'))];
    const prefixed = client({ baseUrl: `${urlOf().replace('http', 'HTTP')}/v1/` });
    await prefixed.usage({ month: '2026-01', requestId: 'job-7' });
    await prefixed.createLivenessSession(undefined, { idempotencyKey: 'order-9' });
    expect(received.map(({ url }) => url)).toEqual(['/v1/usage?month=2026-01', '/v1/liveness']);
    expect(received[0]!.headers['x-request-id']).toBe('job-7');
    expect(received[1]!.headers['idempotency-key']).toBe('order-9');
    expect(received[1]!.body).toBe('{}');
  });

  test('invalid header values are rejected with an error that omits them', async () => {
    const secret = 'key\nwith line feed';
    expect(() => client({ apiKey: secret })).toThrow(/^apiKey must be visible ASCII characters\.$/);
    expect(() => client({ apiKey: secret })).toThrow(coded('INVALID_API_KEY'));
    for (const baseUrl of ['localhost:8080', 'http://', 'http://[::1', undefined as never])
      expect(() => client({ baseUrl })).toThrow(coded('INVALID_PARAMETERS'));
    await expect(detect({}, { idempotencyKey: 'ü' })).rejects.toThrow(/^idempotencyKey must/);
    expect(received).toEqual([]);
  });
});

describe('lists', () => {
  const page = (items: unknown[], nextCursor?: string) =>
    json(200, {
      success: true,
      data: { items, hasMore: nextCursor !== undefined, ...(nextCursor && { nextCursor }) },
      requestId: 'r',
    });
  const collect = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
    const items: T[] = [];
    for await (const item of list) items.push(item);
    return items;
  };

  test('an iterator yields the items of all pages, and reads a page only when it needs it', async () => {
    replies = [page([1, 2], 'a:1'), page([], 'b:2'), page([3])];
    const list = client().allEvents({ eventType: 'session.failed', limit: 2 });
    expect([await list.next(), await list.next()].map(({ value }) => value)).toEqual([1, 2]);
    expect(received).toHaveLength(1);
    expect(await collect(list)).toEqual([3]);
    const query = '/events?eventType=session.failed&limit=2';
    expect(received.map(({ url }) => url)).toEqual([query, `${query}&cursor=a%3A1`, `${query}&cursor=b%3A2`]);
  });

  test('the iterator of a list with an id in its path sends the id with every page', async () => {
    replies = [page([1], 'a:1'), page([2])];
    expect(await collect(client().allWebhookDeliveries('wh_1'))).toEqual([1, 2]);
    expect(received.map(({ url }) => url)).toEqual([
      '/webhooks/wh_1/deliveries',
      '/webhooks/wh_1/deliveries?cursor=a%3A1',
    ]);
  });

  test('an iterator that is left early reads no further page', async () => {
    replies = [page([1], 'a:1')];
    const list = client().allApiKeys();
    for await (const item of list) {
      expect(item).toBe(1);
      break;
    }
    expect(await list.next()).toEqual({ done: true, value: undefined });
    expect(received).toHaveLength(1);
  });

  test('an error ends the loop, and the iterator can repeat the page', async () => {
    replies = [page([1], 'a:1'), refusal('permission-denied', 403), page([2])];
    const list = client().allLivenessSessions();
    expect((await errorOf(collect(list))).code).toBe('PERMISSION_DENIED');
    expect(await collect(list)).toEqual([2]);
  });
});

describe('errors', () => {
  test('an error envelope becomes a PresenzaError without key or image', async () => {
    replies = [refusal('invalid-parameters-missing', 400)];
    const error = await errorOf(detect());
    const { error: body, requestId } = example('error-response--invalid-parameters-missing');
    expect(error).toBeInstanceOf(PresenzaError);
    expect(error).toMatchObject({ name: 'PresenzaError', ...body, status: 400, requestId });
    expect(error.retryAfterSeconds).toBeUndefined();
    const shown = inspect(error, { depth: null, showHidden: true });
    expect(shown).not.toContain(apiKey);
    expect(shown).not.toContain(image.slice(30, 60));
  });

  test.each([
    ['a proxy’s page', text(500, '<html>secret</html>', { 'x-request-id': 'req_9' })],
    ['JSON of another kind', json(500, { error: 'secret' }, { 'x-request-id': 'req_9' })],
    ['null', json(500, null, { 'x-request-id': 'req_9' })],
  ])('%s is UNEXPECTED_RESPONSE, and the error omits its text', async (_, reply) => {
    replies = [reply];
    const error = await errorOf(detect());
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 500, requestId: 'req_9' });
    expect(inspect(error)).not.toContain('secret');
    expect(slept).toEqual([]);
  });

  test.each([
    ['another 200', text(200, 'OK')],
    ['a redirect', text(302, '', { location: '/elsewhere' })],
  ])('%s is UNEXPECTED_RESPONSE', async (_, reply) => {
    replies = [reply];
    expect(await errorOf(detect())).toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
    expect(received).toHaveLength(1);
  });
});

describe('retries', () => {
  const success = json(200, example('detect-response'));

  test.each([
    ['RATE_LIMIT_EXCEEDED', refusal('rate-limit-exceeded', 429)],
    ['INTERNAL_ERROR', refusal('internal-error', 500)],
    ['SERVICE_UNAVAILABLE', refusal('service-unavailable', 503)],
    ['DEADLINE_EXCEEDED', refusal('deadline-exceeded', 504)],
    ['502 without an envelope', text(502, 'Bad gateway')],
    ['503 without an envelope', text(503, '')],
    ['504 without an envelope', text(504, '{')],
    [
      'an unknown code with a status that means later',
      json(503, { success: false, error: { code: 'NEW', message: 'New.' }, requestId: 'r' }),
    ],
    ['a lost connection', hangUp],
    [
      'a response cut short',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
    ],
  ] as [string, Reply][])('%s is retried with the same key', async (_, reply) => {
    replies = [reply, success];
    await detect();
    expect(slept).toEqual([125]);
    expect(received[1]).toMatchObject({ body: received[0]!.body });
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys()[1]).toBe(keys()[0]);
  });

  test('each call has its own key', async () => {
    replies = [success, success];
    await detect();
    await detect();
    expect(new Set(keys()).size).toBe(2);
  });

  test.each([
    ['QUOTA_EXCEEDED', refusal('quota-exceeded', 429, { 'retry-after': '1' })],
    ['NO_FACE_DETECTED', refusal('no-face-detected', 400)],
    ['INVALID_API_KEY', refusal('invalid-api-key', 401)],
    [
      'IDEMPOTENCY_CONFLICT',
      json(409, {
        success: false,
        error: { code: 'IDEMPOTENCY_CONFLICT', message: 'Used.', reason: 'mismatch' },
        requestId: 'r',
      }),
    ],
  ])('%s is final', async (code, reply) => {
    replies = [reply];
    expect((await errorOf(detect())).code).toBe(code);
    expect(slept).toEqual([]);
  });

  test('a quota error has the time when the quota resets', async () => {
    replies = [refusal('quota-exceeded', 429, { 'retry-after': '3600' })];
    expect(await errorOf(detect())).toMatchObject({
      resetsAt: '2026-02-01T00:00:00.000Z',
      retryAfterSeconds: 3600,
    });
  });

  test('an error names the parameter at fault and links to the documentation and the log', async () => {
    const shown = example('error-response--invalid-parameters');
    const requestLogUrl = 'https://logs.example/search?q=req_1';
    replies = [json(400, { ...shown, error: { ...shown.error, requestLogUrl } })];
    expect(await errorOf(detect())).toMatchObject({
      param: 'similarityThreshold',
      docUrl: '/docs/api-reference#invalid-parameters',
      requestLogUrl,
    });
  });

  test('the wait doubles up to a cap, and the last error is thrown when retries run out', async () => {
    replies = Array.from({ length: 9 }, () => refusal('service-unavailable', 503));
    const error = await errorOf(detect({ retries: 8, random: () => 1 }));
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    expect(slept).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
    replies = [hangUp];
    expect((await errorOf(detect({ retries: 0 }))).code).toBe('CONNECTION_FAILED');
  });

  test.each([
    ['seconds', '3'],
    ['an HTTP date', new Date(start + 3000).toUTCString()],
  ])('Retry-After in %s is waited for, with jitter on top', async (_, value) => {
    replies = [refusal('rate-limit-exceeded', 429, { 'retry-after': value }), success];
    await detect();
    expect(slept).toEqual([3125]);
  });

  test.each(['soon', '-1', ''])('Retry-After: %p is ignored', async (value) => {
    replies = [refusal('rate-limit-exceeded', 429, { 'retry-after': value }), success];
    await detect();
    expect(slept).toEqual([125]);
  });

  test('the client does not wait for a Retry-After past the deadline', async () => {
    replies = [refusal('rate-limit-exceeded', 429, { 'retry-after': '30' })];
    const error = await errorOf(detect({}, { timeoutMs: 30_000 }));
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 30 });
    expect(slept).toEqual([]);
  });

  test('the deadline applies to all attempts together', async () => {
    replies = Array.from({ length: 5 }, () => refusal('service-unavailable', 503, { 'retry-after': '4' }));
    await errorOf(detect({ retries: 100, random: () => 0, timeoutMs: 10_000 }));
    expect(slept).toEqual([4000, 4000]);
  });

  test('waiting for a first request that is still running uses no retries', async () => {
    const conflict = refusal('idempotency-conflict', 409, { 'retry-after': '1' });
    replies = [conflict, conflict, success];
    await detect({ retries: 0, random: () => 0 });
    expect(slept).toEqual([1000, 1000]);
    expect(new Set(keys()).size).toBe(1);
  });

  test('a batch has a longer timeout than the minute that the service may process it', async () => {
    const waits = Array.from({ length: 5 }, () =>
      refusal('service-unavailable', 503, { 'retry-after': '50' }),
    );
    replies = [...waits];
    await errorOf(client({ retries: 100, random: () => 0 }).batch(example('batch-request')));
    expect(slept).toEqual([50_000, 50_000, 50_000]);
    replies = [...waits];
    slept.length = 0;
    await errorOf(detect({ retries: 100, random: () => 0 }));
    expect(slept).toEqual([50_000]);
  });

  test('a missing response is TIMED_OUT and not retried', async () => {
    replies = [() => {}];
    expect((await errorOf(detect({}, { timeoutMs: 20 }))).code).toBe('TIMED_OUT');
    expect(received.length).toBeLessThanOrEqual(1);
  });
});

describe('abort', () => {
  const reason = new Error('The user left.');

  test('an abort before the call sends nothing', async () => {
    expect(await errorOf(detect({}, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(received).toEqual([]);
  });

  test('an abort during a request cancels it without a retry', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      replies = [
        (response) => {
          response.on('close', resolve);
          controller.abort(reason);
        },
      ];
    });
    expect(await errorOf(detect({}, { signal: controller.signal }))).toBe(reason);
    await closed;
    expect(slept).toEqual([]);
  });

  test('an abort during a wait ends the call', async () => {
    const controller = new AbortController();
    replies = [refusal('rate-limit-exceeded', 429, { 'retry-after': '20' })];
    const patient = createClient({ baseUrl: urlOf(), apiKey });
    const call = patient.detect({ image }, { signal: controller.signal });
    await new Promise((resolve) => server.once('request', (_, response) => response.on('close', resolve)));
    controller.abort(reason);
    expect(await errorOf(call)).toBe(reason);
  });
});

describe('batchStream', () => {
  const request = example('batch-request');
  const results: BatchOutcome[] = example('batch-response').data.results;
  const ndjson = { 'content-type': 'application/x-ndjson; charset=utf-8' };
  const end = example('batch-line--end');
  const lines = [...results, end].map((line) => `${JSON.stringify(line)}\n`).join('');
  const collect = async (seen: BatchOutcome[] = []) => {
    for await (const result of client().batchStream(request)) seen.push(result);
    return seen;
  };
  /** Writes the given number of bytes at a time, each after the previous one is sent. */
  const inPieces =
    (body: string, size: number, end: (response: ServerResponse) => void): Reply =>
    async (response) => {
      response.writeHead(200, ndjson);
      const bytes = Buffer.from(body);
      for (let i = 0; i < bytes.length; i += size)
        await new Promise((resolve) => response.write(bytes.subarray(i, i + size), resolve));
      end(response);
    };
  const finish = (response: ServerResponse) => void response.end();

  test.each([1, 7, 100_000])('results arrive from chunks of %d bytes', async (size) => {
    const accented = lines.replace('selfie', 'sélfie');
    replies = [inPieces(accented, size, finish)];
    expect(await collect()).toEqual(
      results.map((result) => (result.id === 'selfie' ? { ...result, id: 'sélfie' } : result)),
    );
    expect(received[0]).toMatchObject({ method: 'POST', url: '/batch', body: JSON.stringify(request) });
    expect(received[0]!.headers.accept).toBe('application/x-ndjson');
  });

  test('a result is available before the next one arrives', async () => {
    let goOn: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const [first, ...rest] = lines.split(/(?<=\n)/) as [string, ...string[]];
    replies = [
      async (response) => {
        response.writeHead(200, ndjson).write(first);
        await asked;
        response.end(rest.join(''));
      },
    ];
    const stream = client().batchStream(request);
    expect(await stream.next()).toEqual({ done: false, value: results[0] });
    goOn();
    expect((await stream.next()).value).toEqual(results[1]);
    expect((await stream.next()).value).toEqual(results[2]);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test('the last line may lack its line feed', async () => {
    replies = [inPieces(lines.trimEnd(), 50, finish)];
    expect(await collect()).toEqual(results);
  });

  test.each([
    ['between lines', JSON.stringify(results[0]).length + 1, finish],
    ['within a line', JSON.stringify(results[0]).length + 20, finish],
    [
      'by a lost connection',
      JSON.stringify(results[0]).length + 1,
      (response: ServerResponse) => void response.destroy(),
    ],
  ])('cut off %s: what came is kept, the rest is an error and not repeated', async (_, length, end) => {
    replies = [inPieces(lines.slice(0, length), 10, end)];
    const seen: BatchOutcome[] = [];
    const error = await errorOf(collect(seen));
    expect(error.code).toBe('CONNECTION_FAILED');
    expect(seen).toEqual([results[0]]);
    expect(received).toHaveLength(1);
  });

  test('an error instead of a result ends the stream', async () => {
    const failure = example('error-response--service-unavailable');
    replies = [inPieces(`${JSON.stringify(results[0])}\n${JSON.stringify(failure)}\n`, 100, finish)];
    expect(await errorOf(collect())).toMatchObject({ ...failure.error, requestId: failure.requestId });
  });

  test('a rejection before the first result is retried', async () => {
    replies = [refusal('service-unavailable', 503), inPieces(lines, 100, finish)];
    expect(await collect()).toEqual(results);
    expect(new Set(keys()).size).toBe(1);
  });

  test('a response that is not a stream is UNEXPECTED_RESPONSE', async () => {
    replies = [json(200, example('batch-response'))];
    expect((await errorOf(collect())).code).toBe('UNEXPECTED_RESPONSE');
  });

  test('stopping early closes the connection', async () => {
    const closed = new Promise<void>((resolve) => {
      replies = [
        (response) => {
          response.on('close', resolve);
          response.writeHead(200, ndjson).write(lines);
        },
      ];
    });
    for await (const result of client().batchStream(request)) {
      expect(result).toEqual(results[0]);
      break;
    }
    await closed;
  });
});

describe('images', () => {
  const bytes = Buffer.from(image.split(',')[1]!, 'base64');

  test.each([
    ['bytes', bytes],
    ['a Blob', new Blob([bytes])],
    ['a data URI', image],
  ])('an image may be %s, also in a batch', async (_, value) => {
    replies = [json(200, example('detect-response')), json(200, example('batch-response'))];
    await client().detect({ image: value });
    await client().batch({ operations: [{ operation: 'detect', body: { image: value } }] });
    const [detected, batched] = received.map(({ body }) => JSON.parse(body));
    expect(detected).toEqual({ image });
    expect(batched).toEqual({ operations: [{ operation: 'detect', body: { image } }] });
  });

  test('bytes in another format fail before the request', async () => {
    await expect(client().detect({ image: Buffer.from('BM') })).rejects.toThrow(coded('INVALID_IMAGE'));
    expect(received).toEqual([]);
  });
});

describe('dataUri', () => {
  const images = [example('detect-request').image, example('compare-request').targetImage];
  const all = JSON.stringify(
    ['detect-request', 'compare-request', 'moderate-request', 'liveness-request--match'].map(example),
  );
  const uris = [...all.matchAll(/data:image\/\w+;base64,[^"]+/g)].map(([uri]) => uri);

  test.each([...new Set([...images, ...uris])])(
    '%#: dataUri encodes the bytes and format of an example',
    (uri: string) => {
      const bytes = Buffer.from(uri.split(',')[1]!, 'base64');
      expect(dataUri(new Uint8Array(bytes))).toBe(uri);
    },
  );

  test.each([
    ['gif', 'GIF89a'],
    ['heic', '\0\0\0\x18ftypheic'],
    ['heic', '\0\0\0\x18ftypmif1'],
  ])('dataUri knows %s by %j', (format, start) => {
    const bytes = Buffer.from(start, 'latin1');
    expect(dataUri(Uint8Array.from(bytes))).toBe(`data:image/${format};base64,${bytes.toString('base64')}`);
  });

  test('dataUri works without Buffer, for every length of the last group', () => {
    const magic = [0xff, 0xd8, 0xff];
    const node = globalThis.Buffer;
    for (let length = 0; length < 4; length++) {
      const bytes = Uint8Array.from([...magic, ...Array.from({ length }, (_, i) => 250 - i)]);
      const expected = `data:image/jpeg;base64,${node.from(bytes).toString('base64')}`;
      try {
        Reflect.deleteProperty(globalThis, 'Buffer');
        expect(dataUri(bytes)).toBe(expected);
      } finally {
        globalThis.Buffer = node;
      }
    }
  });

  test.each([[[]], [[0x42, 0x4d]], [[0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x41, 0x56, 0x45]]])(
    '%j is refused',
    (bytes) => expect(() => dataUri(Uint8Array.from(bytes))).toThrow(coded('INVALID_IMAGE')),
  );
});

test('the client has no async generators and no async iteration, so k6 can compile it', () => {
  const sources = readdirSync(__dirname).filter((file) => /^(?!.*\.test\.).*\.ts$/.test(file));
  expect(sources).toContain('batch-stream.ts');
  const code = (file: string) =>
    readFileSync(join(__dirname, file), 'utf8').replace(/^\s*(\/?\*|\/\/).*$/gm, '');
  expect(sources.filter((file) => /for await|async \*|async function\s?\*/.test(code(file)))).toEqual([]);
});
