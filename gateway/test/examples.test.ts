/**
 * The examples of the contract, replayed on a gateway with a real Redis, inference tier and webhook receivers: each
 * request works, and each response and event is like its example. Sessions with a test outcome end without a camera;
 * liveness/verification.slow.test.ts has a user with one. Errors are in catalogue.slow.test.ts.
 */
import sharp from 'sharp';
import { readContract } from '../src/services/contract/contract';
import { RedisSessionStore } from '../src/stores/liveness/redis-session-store';
import { testImageBytes } from './contract';
import { type ExampleGateway, startGateway } from './examples/gateway';
import { type Doc, example, expectLike, expectShown, notReplayed, sent } from './examples/replay';
import { until } from './webhooks/deployment';
import { eventOf, type Receiver, startReceiver, status } from './webhooks/receiver';

const imageOf = (name: string) => `data:image/png;base64,${testImageBytes(name).toString('base64')}`;
/** Test mode has no page that names its consent notice and language. */
const noNotice = (path: string) => [`${path}.consent.notice: string`, `${path}.consent.locale: string`];

const photo = Buffer.from(example('liveness-request--match').imageToCompare.split(',')[1], 'base64');

let gateway: ExampleGateway;
let trial: string;
let checked: Record<'completed' | 'completed-match' | 'completed-no-match' | 'failed', Checked>;
const receivers: Receiver[] = [];

beforeAll(async () => {
  gateway = await startGateway();
  ({ trial } = await gateway.account());
  const { returnUrl } = example('liveness-request');
  checked = {
    completed: await beginChecked(),
    'completed-match': await beginChecked({ returnUrl, imageToCompare: imageOf('face') }),
    'completed-no-match': await beginChecked({ testOutcome: 'noMatch' }),
    failed: await beginChecked({ testOutcome: 'spoof' }),
  };
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

interface Session {
  readonly sessionId: string;
  /** Its token. */
  readonly accessToken: string;
}

interface Checked extends Session {
  /** Key of an account that has no other session with a test outcome. */
  readonly key: string;
  readonly event: Awaited<ReturnType<typeof subscribe>>['event'];
}

/** A session that moves on by itself while the tests run, to the outcome of the example unless `change` has another. */
async function beginChecked(change: object = {}): Promise<Checked> {
  const { trial: key } = await gateway.account();
  const { event } = await subscribe(key);
  await createSession(key);
  const session = await createSession(key, { ...sent('liveness-request--test-outcome'), ...change });
  return { key, event, ...session };
}

const createSession = async (
  token: string,
  body = sent('liveness-request'),
  url?: string,
): Promise<Session> =>
  (await gateway.call('POST /liveness', { token, body, ...(url !== undefined && { url }) })).data;

/**
 * Creates an endpoint with a receiver. `event` resolves to an event of a session once it has arrived, with valid
 * signatures.
 */
async function subscribe(token: string, settings: object = {}) {
  const receiver = await startReceiver();
  receivers.push(receiver);
  const body = { url: receiver.url, ...settings };
  const { webhookId, secret } = (await gateway.call('POST /webhooks', { token, body })).data;
  const event = async (sessionId: string, eventType: string) =>
    (await eventOf(receiver, secret, sessionId, eventType)).event;
  return { receiver, webhookId, event };
}

describe('analyses', () => {
  // The images of these requests are test images, whose results do not depend on a model.
  test.each([
    ['POST /detect', 'detect-request', 'detect-response'],
    ['POST /detect', 'detect-request--attributes', 'detect-response--attributes'],
    ['POST /compare', 'compare-request', 'compare-response'],
    ['POST /moderate', 'moderate-request', 'moderate-response'],
    ['POST /batch', 'batch-request', 'batch-response'],
  ])('%s with %s and a test key returns %s', async (line, request, response) =>
    expectLike(response, await gateway.call(line, { token: trial, body: sent(request) })),
  );

  test('the other results of an analysis are like their examples', async () => {
    const [face, other, none] = ['face', 'other-face', 'no-face'].map(imageOf);
    const results: [string, string, object][] = [
      ['detect-response--no-face', 'POST /detect', { image: none }],
      ['compare-response--no-match', 'POST /compare', { sourceImage: face, targetImage: other }],
      ['moderate-response--clean', 'POST /moderate', { image: none }],
    ];
    for (const [name, line, body] of results)
      expectLike(name, await gateway.call(line, { token: trial, body }));
  });

  test('POST /batch sends its results as lines, and then the totals', async () => {
    const headers = { accept: 'application/x-ndjson' };
    const body = sent('batch-request');
    const { text } = await gateway.send('POST /batch', { token: trial, headers, body });
    const lines: Doc[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { index } = example('batch-line');
    const line = lines.find((result) => result.index === index);
    expectLike('batch-line', line);
    expectLike('batch-line--end', lines.at(-1));
  });
});

describe('sessions', () => {
  test('the calls about a session return what their examples show', async () => {
    const { id, live: key } = await gateway.account();
    const { branding, controller, alternative } = example('liveness-start-response').data;
    await gateway.services.keys.updateAccount(id, { branding, controller, alternative });
    const match = sent('liveness-request--match');
    expectLike('liveness-response', await gateway.call('POST /liveness', { token: key, body: match }));

    const { policy } = sent('liveness-request--policy');
    const stricter = await createSession(key, sent('liveness-request--policy'));
    const seen = await gateway.call(`GET /liveness/${stricter.sessionId}`, { token: key });
    expect(seen.data.policy).toMatchObject(policy);

    const { sessionId, accessToken: token } = await createSession(key);
    const session = `/liveness/${sessionId}`;
    const call = (path: string, rest: object = { body: sent('empty-request') }) =>
      gateway.call(`POST ${session}/${path}`, { token, ...rest });
    expectLike('liveness-session-response--created', await gateway.call(`GET ${session}`, { token: key }));
    expectLike('liveness-start-response', await call('start'));
    const begin = () => call('attempts', { body: sent('liveness-attempt-request') });
    const attempt = await begin();
    // The number of steps is random.
    expectShown('liveness-attempt-response', attempt);
    const { attemptId, nonces } = attempt.data;
    const body = await sharp(photo).resize(640, 480).jpeg().toBuffer();
    const headers = { 'content-type': 'image/jpeg', 'x-frame-nonce': nonces[0] };
    const frame = await call(`attempts/${attemptId}/frames`, { body, headers });
    expectShown('liveness-frame-response', frame);
    // An attempt without frames fails at once, even if the tier was too busy to see the frame of the first attempt.
    const { data: second } = await begin();
    const failed = await call(`attempts/${second.attemptId}/complete`);
    expectLike('liveness-complete-response--retry', failed);
    expectLike('liveness-leave-response', await call('leave'));
    expectLike('liveness-cancel-response', await call('cancel'));
    expectLike('liveness-delete-response', await gateway.call(`DELETE ${session}`, { token: key }));
  });

  test('the audit image of a session is returned as its example shows', async () => {
    const { id: accountId } = await gateway.account();
    const { keys, liveness } = gateway.services;
    await keys.updateAccount(accountId, { auditImages: {} });
    const { apiKey } = await keys.createKey(accountId, 'live', { auditImages: true });
    const { sessionId, accessToken } = await createSession(apiKey);
    const path = `/liveness/${sessionId}`;
    await gateway.call(`POST ${path}/start`, { token: accessToken, body: {} });
    const body = sent('liveness-attempt-request');
    const { data } = await gateway.call(`POST ${path}/attempts`, { token: accessToken, body });
    const check = { attemptId: data.attemptId, checker: 'chk_1', leaseMs: 60_000 };
    const address = { accountId, sessionId };
    await new RedisSessionStore(gateway.redis).beginCheck(address, check);
    await liveness.auditImages.keep(await liveness.sessions.find(address), data.attemptId, photo);
    const image = await gateway.call(`GET ${path}/audit-image`, { token: apiKey });
    expectLike('liveness-audit-image-response', image);
  });

  test('a session that a user cancels, and one that expires, send the events of their examples', async () => {
    const { live: key } = await gateway.account();
    const { event } = await subscribe(key);
    const { sessionId, accessToken: token } = await createSession(key);
    for (const step of ['start', 'cancel'])
      await gateway.call(`POST /liveness/${sessionId}/${step}`, { token, body: {} });
    const expired = await createSession(key, sent('liveness-request'), await gateway.serveExpired());
    expectLike('webhook-event--session-started', await event(sessionId, 'session.started'));
    expectLike('webhook-event--session-cancelled', await event(sessionId, 'session.cancelled'));
    expectLike('webhook-event--session-expired', await event(expired.sessionId, 'session.expired'));
  });
});

describe('webhooks', () => {
  test('a delivery to an endpoint that fails is like its example', async () => {
    const { live: token } = await gateway.account();
    const { receiver, webhookId } = await subscribe(token);
    receiver.respond = status(503);
    await start(token);
    await receiver.count(1);
    const deliveries = await until(
      () => gateway.call(`GET /webhooks/${webhookId}/deliveries`, { token }),
      ({ data }) => data.items[0].status !== undefined,
    );
    expectShown('webhook-delivery-list-response', deliveries);
  });

  test.each([
    ['webhook-acknowledgement', { status: 'started' }],
    ['webhook-acknowledgement--reject', { status: 'cancelled' }],
    [
      'webhook-acknowledgement--redirect',
      { status: 'started', redirectUrl: example('webhook-acknowledgement--redirect').redirectUrl },
    ],
  ])('a synchronous endpoint that responds with %s changes the session', async (name, changed) => {
    const { live: token } = await gateway.account();
    const { receiver, webhookId } = await subscribe(token, { type: 'sync', events: ['session.started'] });
    receiver.respond = (response) => response.end(JSON.stringify(sent(name)));
    const { status, redirectUrl } = await start(token);
    expect({ status, ...(redirectUrl && { redirectUrl }) }).toEqual(changed);
    const { data } = await gateway.call(`GET /webhooks/${webhookId}/deliveries`, { token });
    expect(data.items).toMatchObject([{ state: 'delivered', attempts: 1, status: 200 }]);
  });

  test('a synchronous endpoint with a wrong response refuses the session, and the log says what is wrong', async () => {
    const { live: token } = await gateway.account();
    const { receiver, webhookId } = await subscribe(token, { type: 'sync', events: ['session.started'] });
    receiver.respond = (response) => response.end('{"status":"received","decision":"allow"}');
    expect((await start(token)).status).toBe('cancelled');
    const deliveries = await gateway.call(`GET /webhooks/${webhookId}/deliveries`, { token });
    expectShown('webhook-delivery-list-response--decision', deliveries);
    expect(deliveries.data.items[0].decision).toEqual(
      example('webhook-delivery-list-response--decision').data.items[0].decision,
    );
  });

  /** Starts a new session, as its page does. */
  async function start(token: string): Promise<Doc> {
    const { sessionId, accessToken } = await createSession(token);
    return (await gateway.call(`POST /liveness/${sessionId}/start`, { token: accessToken })).data;
  }
});

test('the calls about an account return what their examples show', async () => {
  const { live: token } = await gateway.account();
  const call = (line: string, body?: object) => gateway.call(line, { token, ...(body && { body }) });
  expectLike('health-response', await call('GET /health'));
  await gateway.services.health.measure();
  expectShown('health-history-response', await call('GET /health/history'));
  const { incidents } = gateway.services.management;
  const about = { title: 'Title', components: ['liveness'], impact: 'outage', text: 'Text' } as const;
  await incidents.create({ ...about, status: 'resolved' });
  await incidents.schedule({ ...about, from: Date.now() + 60_000, until: Date.now() + 120_000 });
  await gateway.services.incidents.refresh();
  expectShown('service-incidents-response', await call('GET /health/incidents'));
  expectShown('usage-response', await call('GET /usage'));

  const endpoint = await call('POST /webhooks', sent('webhook-create-request'));
  expectLike('webhook-create-response', endpoint);
  expectLike('webhook-list-response', await call('GET /webhooks'));
  expectLike('webhook-delete-response', await call(`DELETE /webhooks/${endpoint.data.webhookId}`));

  const key = await call('POST /keys', sent('key-create-request'));
  expectLike('key-create-response', key);
  expectShown('key-list-response', await call('GET /keys'));
  expectLike('key-delete-response', await call(`DELETE /keys/${key.data.keyId}`));
});

describe('examples in the API description', () => {
  const openapi: Doc = readContract('openapi.json');
  const parametersOf = ({ parameters = [] }: Doc): Doc[] =>
    parameters.map((parameter: Doc) =>
      parameter.$ref ? openapi.components.parameters[parameter.$ref.split('/').at(-1)] : parameter,
    );
  /** Operations with their method and path, such as `GET /keys`. */
  const operations = Object.entries<Doc>(openapi.paths).flatMap(([path, item]) =>
    Object.entries<Doc>(item).map(([method, operation]): [string, Doc] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
  const queried = operations.filter(([, operation]) =>
    parametersOf(operation).some((parameter) => parameter.in === 'query'),
  );
  const withForms = operations.filter(
    ([, operation]) => operation.requestBody?.content['multipart/form-data'],
  );

  test.each(queried)('%s accepts the examples of its parameters', async (line, operation) => {
    const { trial: token } = await gateway.account();
    const { webhookId } = await subscribe(token);
    const examplesIn = (place: string): [string, string][] =>
      parametersOf(operation)
        .filter((parameter) => parameter.in === place)
        .map(({ name, example }) => [name, String(example)]);
    const [method, path] = line.replace('{webhookId}', webhookId).split(' ');
    const headers = { ...Object.fromEntries(examplesIn('header')), 'content-type': 'image/jpeg' };
    await gateway.call(`${method} ${path}?${new URLSearchParams(examplesIn('query'))}`, {
      token,
      headers,
      url: await gateway.serve({ now }),
      ...(method === 'POST' && { body: photo }),
    });
  });

  /** The months of usage that an account can read depend on the date. */
  const now = () => Date.parse(example('usage-response').data.period.end);

  test.each(withForms)('%s accepts the examples of its forms and raw images', async (line, operation) => {
    const { 'application/json': _, 'multipart/form-data': form, ...raw } = operation.requestBody.content;
    const file = new Blob([photo]);
    for (const { value } of Object.values<Doc>(form.examples)) {
      const body = new FormData();
      for (const [name, text] of Object.entries(value))
        body.append(name, String(text).startsWith('The file ') ? file : String(text));
      await gateway.call(line, { token: trial, body });
    }
    for (const { value } of Object.values<Doc>(raw).flatMap(({ examples }) => Object.values<Doc>(examples))) {
      const [, type] = /sent with Content-Type: (\S+)$/.exec(value) as RegExpExecArray;
      await gateway.call(line, { token: trial, body: photo, headers: { 'content-type': type as string } });
    }
  });

  test('response headers have the form of their examples', async () => {
    const { id, live: token } = await gateway.account();
    const headers = { 'content-type': 'image/jpeg', 'idempotency-key': 'a' };
    const detect = () => gateway.send('POST /detect', { token, body: photo, headers });
    await detect();
    const replies = [await detect(), await gateway.send('POST /detect'), await gateway.send('PUT /detect')];
    for (const _ of ['first page', 'second page']) await createSession(token);
    replies.push(await gateway.send('GET /liveness?limit=1', { token }));
    await gateway.services.keys.updateAccount(id, { overrides: { burst: { limit: 1, windowSeconds: 60 } } });
    // The second one exceeds the limit of requests that only read.
    for (let i = 0; i < 2; i++) replies.push(await gateway.send('GET /keys', { token }));
    const shapeOf = (text?: string | null) =>
      text?.replace(/ses_\w+/, 'ses_id').replace(/\d+(\.\d+)?/g, 'number');
    const shown = Object.entries<Doc>(openapi.components.headers).filter(([, { example }]) => example);
    for (const [name, { example }] of shown) {
      const received = replies.map((reply) => reply.headers.get(name)).find((text) => text !== null);
      expect([name, shapeOf(received)]).toEqual([name, shapeOf(String(example))]);
    }
    expect(shown.length).toBeGreaterThan(5);
  });
});

describe('sessions with a test outcome', () => {
  test('a session that passes or fails sends the events of its examples', async () => {
    for (const [name, { sessionId, event }] of Object.entries(checked)) {
      const received = await event(sessionId, name === 'failed' ? 'session.failed' : 'session.completed');
      expectShown(`webhook-event--session-${name}`, received, noNotice(''));
    }
  });

  test('a session that passed is read and listed as the examples show', async () => {
    const { key: token, sessionId, accessToken, event } = checked['completed-match'];
    await event(sessionId, 'session.completed');
    const get = (path: string) => gateway.call(`GET ${path}`, { token });
    const session = `/liveness/${sessionId}`;
    expectShown('liveness-session-response', await get(session), noNotice('.data'));
    // The oldest of two sessions is on the next page.
    expectShown('liveness-list-response', await get('/liveness?limit=1'), noNotice('.data.items'));
    const events = await get('/events?eventType=session.completed');
    expectShown('event-list-response', events, noNotice('.data.items'));
    const { eventId } = events.data.items[0];
    expectShown('event-response', await get(`/events/${eventId}`), noNotice('.data'));
    const complete = `POST ${session}/attempts/${example('liveness-attempt-response').data.attemptId}/complete`;
    expectShown('liveness-complete-response', await gateway.call(complete, { token: accessToken }));
  });

  test('a session whose user is another person is like its example', async () => {
    const { key: token, sessionId, event } = checked['completed-no-match'];
    await event(sessionId, 'session.completed');
    const received = await gateway.call(`GET /liveness/${sessionId}`, { token });
    expectShown('liveness-session-response--no-match', received, noNotice('.data'));
  });
});

test('every example is replayed', () => {
  expect(notReplayed()).toEqual([]);
});
