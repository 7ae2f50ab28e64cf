/** Nothing in a request is silently ignored or altered: query strings, JSON and Accept. */
import brand from '@presenza/contract/brand.json';
import openapi from '@presenza/contract/openapi.json';
import { type Connection, expectEnvelope, imageBody, json, StandIn, standInSessionId } from './stand-in';

let standIn: StandIn;
let connection: Connection;
beforeAll(async () => {
  standIn = await StandIn.start({
    errorLinks: {
      siteUrl: 'https://example.com',
      requestLogUrl: 'https://logs.example/search?q={requestId}',
    },
  });
  connection = standIn.connect();
});
afterAll(() => standIn.stop());

const send = (line: string, body = '', headers: Record<string, string> = {}) =>
  connection.send(`${line} HTTP/1.1`, { ...json, ...headers, 'Content-Length': body.length }, body).reply();

describe('query parameters', () => {
  const operations = Object.entries(openapi.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );

  test.each([...operations, 'GET /openapi.json'])('that %s does not take', async (line) => {
    const path = line.replace('{sessionId}', standInSessionId).replace(/\{\w+\}/, 'any');
    const reply = await send(`${path}?unused=5`, line.startsWith('POST') ? imageBody : '');
    expectEnvelope(reply, 'INVALID_PARAMETERS', 'query');
    expect(reply.body.error.param).toBe('unused');
  });

  test.each(['attributes=pose', 'x=1', 'image=x', 'x'.repeat(99)])(
    'a JSON body takes none, not even those for a raw image: %s',
    async (query) => {
      const reply = await send(`POST /detect?${query}`, imageBody);
      expectEnvelope(reply, 'INVALID_PARAMETERS', 'query');
      expect(reply.body.error.param).toBe(query.split('=')[0]?.slice(0, 64));
    },
  );

  test('without a name', async () => {
    const { message } = (await send('GET /usage?=5')).body.error;
    expect(message).toBe('The query parameter "" does not apply to this request.');
  });

  test('that are repeated', async () => {
    const reply = await send('GET /usage?month=2026-01&month=2026-01');
    expectEnvelope(reply, 'INVALID_PARAMETERS', 'repeated');
    expect(reply.body.error.param).toBe('month');
  });

  test.each([
    ['/usage', 'month'],
    ['/liveness', 'limit'],
  ])('that are invalid, after a thousand empty ones: %s', async (path, name) => {
    const reply = await send(`GET ${path}?${'&'.repeat(1_000)}${name}=0`);
    expectEnvelope(reply, 'INVALID_PARAMETERS', 'value');
    expect(reply.body.error.param).toBe(name);
  });

  test('are checked after the key, and an empty query string is none', async () => {
    expectEnvelope(await send('GET /usage?x=1', '', { Authorization: 'Bearer wrong' }), 'INVALID_API_KEY');
    expect((await send('GET /usage?')).status).toBe(200);
    expect((await send('POST /detect?', imageBody)).status).toBe(200);
  });
});

test.each([
  ['{"image":"a","image":"b"}', 'repeated', 'image'],
  ['{"image":"a","im\\u0061ge":"b"}', 'repeated', 'image'],
  ['{"image":"a","attributes":[1e309]}', 'number', 'attributes.0'],
  ['{"image":9007199254740993}', 'number', 'image'],
])('JSON that parsers read differently: %s', async (body, reason, param) => {
  const reply = await send('POST /detect', body);
  expectEnvelope(reply, 'INVALID_PARAMETERS', reason);
  expect(reply.body.error.param).toBe(param);
});

describe('the format of a batch', () => {
  const lines = 'application/x-ndjson';
  const body = JSON.stringify({ operations: [{ operation: 'detect', body: JSON.parse(imageBody) }] });

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    [lines, lines],
    [`${lines}; charset=UTF-8`, lines],
    [`application/json;q=0.5, ${lines}`, lines],
    [`application/json, ${lines};q=0.9`, 'application/json'],
    [`text/html, ${lines};q=0.1, application/json;q=0`, lines],
    [`${lines};q=0, */*;q=0.1`, 'application/json'],
    ['text/html', 'application/json'],
  ])('Accept: %s is %s', async (accept, type) => {
    const response = await fetch(`http://127.0.0.1:${standIn.port}/batch`, {
      method: 'POST',
      headers: { ...json, accept: accept ?? '*/*' },
      body,
    });
    expect(response.headers.get('content-type')?.split(';')[0]).toBe(type);
    expect(response.headers.get('vary')).toBe('Accept');
    await response.text();
  });
});

test('every error links to the documentation, also in a batch and of a request that is not HTTP', async () => {
  const docUrl = 'https://example.com/docs/api-reference#invalid-parameters';
  expect((await send('POST /detect', '{')).body.error.docUrl).toBe(docUrl);
  const batch = JSON.stringify({ operations: [{ operation: 'detect', body: { image: '', x: 1 } }] });
  const [result] = (await send('POST /batch', batch)).body.data.results;
  expect(result.error).toMatchObject({ param: 'x', docUrl });
  expect((await standIn.connect().send('hello').reply()).body.error.docUrl).toBe(docUrl);
});

describe('the address at which an operator looks up a request', () => {
  const batch = JSON.stringify({ operations: [{ operation: 'detect', body: { image: '', x: 1 } }] });
  const session = `/liveness/${standInSessionId}`;

  test('is in every error, also in a batch and of a request that is not HTTP', async () => {
    const requestLogUrl = 'https://logs.example/search?q=order%3A7';
    const id = { 'X-Request-Id': 'order:7' };
    expect((await send('POST /detect', '{', id)).body.error).toMatchObject({ requestLogUrl });
    expect((await send('POST /detect', '', { ...id, Authorization: '' })).body.error).toMatchObject({
      code: 'INVALID_API_KEY',
      requestLogUrl,
    });
    const [result] = (await send('POST /batch', batch, id)).body.data.results;
    expect(result.error).toMatchObject({ requestLogUrl });
    const { error, requestId } = (await standIn.connect().send('hello').reply()).body;
    expect(error.requestLogUrl).toBe(`https://logs.example/search?q=${requestId}`);
  });

  test('is not in errors of pages, but in those of a key on the same path', async () => {
    const byPage = [`POST ${session}/start?x=1`, `PUT ${session}/start`, `GET ${session}?x=1`];
    for (const line of byPage) {
      const { error } = (await send(line)).body;
      expect(error).toHaveProperty('docUrl');
      expect(error).not.toHaveProperty('requestLogUrl');
    }
    const key = { Authorization: `Bearer ${brand.keyPrefix}_test_x` };
    for (const line of [`GET ${session}?x=1`, `DELETE ${session}?x=1`]) {
      expect((await send(line, '', key)).body.error).toHaveProperty('requestLogUrl');
    }
  });

  test.each(['.', '..'])('never has the id "%s", which is a step of a path', async (id) => {
    const { requestId } = (await send('POST /detect', '{', { 'X-Request-Id': id })).body;
    expect(requestId).toMatch(/^req_\w{24}$/);
  });
});
