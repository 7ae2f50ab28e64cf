/** The gateway's side of the wire: the client must send the recorded requests and read the recorded responses. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deadlineMs, type Exchange, exchanges, requestId } from '../../../../inference/test/wire/exchanges';
import { HttpInferenceClient } from './inference-client';
import { wireVersion } from './wire-version';

let tier: Server;
let client: HttpInferenceClient;
let respond: (req: IncomingMessage, body: Buffer, res: ServerResponse) => void;
const problems: (string | undefined)[] = [];

beforeAll(async () => {
  tier = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    respond(req, Buffer.concat(chunks), res);
  }).listen(0, '127.0.0.1');
  await once(tier, 'listening');
  const { port } = tier.address() as AddressInfo;
  client = new HttpInferenceClient(`http://127.0.0.1:${port}`, undefined, (problem) =>
    problems.push(problem),
  );
});
afterAll(() => {
  client.close();
  tier.close();
});

/** Makes the tier respond as recorded, in the given version of the wire, if any. */
function replay({ status, retryAfter, body }: Exchange['response'], version?: string): void {
  respond = (_req, _body, res) => {
    if (version !== undefined) res.setHeader('X-Wire-Version', version);
    if (retryAfter !== undefined) res.setHeader('Retry-After', retryAfter);
    res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  };
}

function send({ call, images }: Exchange): Promise<unknown> {
  const [first, second] = images as readonly [Buffer, Buffer];
  const deadline = { signal: new AbortController().signal, leftMs: () => deadlineMs };
  const inference = { requestId, field: 'image', deadline, priority: undefined };
  switch (call.operation) {
    case 'detect':
      return client.detect(first, { ...inference, attributes: call.attributes, isFrame: call.isFrame });
    case 'compare':
      return client.compare(first, second, inference);
    case 'moderate':
      return client.moderate(
        first,
        { ...call, prototypes: call.prototypes.map((bytes) => bytes.toString('base64')) },
        inference,
      );
    case 'prototype':
      return client.prototype(images, inference);
    case 'frames': {
      const { timesMs, challenges, light } = call;
      const frames = timesMs.map((timeMs, i) => ({ image: images[i] as Buffer, timeMs }));
      return client.frames({ frames, challenges, light, reference: images[timesMs.length] }, inference);
    }
  }
}

/** Headers that a request must not have unless they are recorded. */
const optional = [
  'x-part-lengths',
  'x-attributes',
  'x-limits',
  'x-frame-times',
  'x-challenges',
  'x-light-colors',
  'x-frame-lights',
  'x-priority',
  'traceparent',
];

test.each(exchanges)('$name', async (exchange) => {
  const { request, response, failure } = exchange;
  const received: { head?: IncomingMessage; body?: Buffer } = {};
  replay(response, wireVersion);
  const playback = respond;
  respond = (head, body, res) => {
    Object.assign(received, { head, body });
    playback(head, body, res);
  };
  const result = await send(exchange).catch((error: Error) => error);
  expect(received.head).toMatchObject({ method: 'POST', url: request.path });
  const headers = received.head?.headers ?? {};
  expect(headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': String(request.body.length),
    'x-request-id': requestId,
    'x-deadline-ms': String(deadlineMs),
    'x-wire-version': wireVersion,
    ...request.headers,
  });
  for (const name of optional) {
    expect([name, headers[name]]).toEqual([name, (request.headers as Record<string, string>)[name]]);
  }
  expect(received.body?.equals(request.body)).toBe(true);
  if (failure) expect(result).toMatchObject(failure);
  else expect(result).toEqual(response.body);
});

describe('versions', () => {
  const [detect] = exchanges as readonly [Exchange];
  beforeEach(() => problems.splice(0));
  const sentence = `The inference tier speaks version 2.0 of the wire and this process ${wireVersion}: upgrade one of them to the same major version`;

  test.each([undefined, '1.0', '1.99'])('a tier of version %s is used', async (version) => {
    replay(detect.response, version);
    expect(await send(detect)).toEqual(detect.response.body);
    expect(await client.ready()).toBe(true);
    expect(problems).toEqual([undefined]);
  });

  test('a tier of another major version is unavailable and not ready, and the log says why', async () => {
    replay(detect.response, '2.0');
    await expect(send(detect)).rejects.toMatchObject({
      body: { code: 'SERVICE_UNAVAILABLE', reason: 'inference' },
      cause: { message: sentence },
    });
    expect(await client.ready()).toBe(false);
    expect(problems).toEqual([sentence]);
  });

  test('the readiness probe states the version of the gateway', async () => {
    replay(detect.response, wireVersion);
    const playback = respond;
    let version: unknown;
    respond = (req, body, res) => {
      version = req.headers['x-wire-version'];
      playback(req, body, res);
    };
    await client.ready();
    expect(version).toBe(wireVersion);
  });
});
