/** Sessions with a test outcome on a real Redis: they pass through their statuses by the sweep alone. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import { createApp } from '../../src/http/app';
import { createMetrics } from '../../src/observability/metrics';
import type { InferenceClient } from '../../src/services/inference/inference-client';
import type { KeyMode } from '../../src/services/keys/api-key';
import type { SessionEvent } from '../../src/services/liveness/session/events';
import type { SessionSweeper } from '../../src/services/liveness/session/sweeper';
import { createEventDetails } from '../../src/start/liveness';
import { dueKey, outboxKey, sessionKeys } from '../../src/stores/liveness/keys';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { schemas, testImageBytes } from '../contract';
import { keepOpen, keySecret, realLiveness, realServices } from '../services';
import { tierThatDetects } from '../stand-in';

/** No test needs an analysis. */
const tier: InferenceClient = tierThatDetects(() => Promise.reject(new Error('not expected')));
const face = `data:image/png;base64,${testImageBytes('face').toString('base64')}`;

let redisServer: RunningServer;
let redis: RedisClient;
let services: ReturnType<typeof realServices>;
let server: Server;
/** One for each gateway that shares the Redis. */
const sweepers = () => [realLiveness(redis, tier).sweeper, realLiveness(redis, tier).sweeper];

beforeAll(async () => {
  redisServer = await startRedis();
  redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  services = realServices(redis, tier);
  server = createServer(keepOpen, createApp(services)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  redis.disconnect();
  await redisServer.stop();
});

async function send(
  path: string,
  bearer: string,
  { method = 'POST', body }: { method?: string; body?: object } = {},
) {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  return { status: response.status, body: (await response.json()) as any };
}

async function newSession(body: object, mode: KeyMode = 'test') {
  const { id: accountId } = await services.keys.createAccount('Tests', 'growth');
  const { apiKey } = await services.keys.createKey(accountId, mode);
  const made = await send('/liveness', apiKey, { body });
  expect(schemas.validate('liveness-response.json', made.body)).toBe(true);
  const { sessionId, accessToken, livemode } = made.body.data;
  return { accountId, apiKey, sessionId, accessToken, livemode, path: `/liveness/${sessionId}` };
}
type Made = Awaited<ReturnType<typeof newSession>>;

const read = async ({ path, apiKey }: Made) => {
  const { body } = await send(path, apiKey, { method: 'GET' });
  expect(schemas.validate('liveness-session-response.json', body)).toBe(true);
  return body.data;
};
const eventsOf = async (accountId: string) =>
  (await redis.xrange(outboxKey(accountId), '-', '+')).map(([, fields]) => fields[5]);
const usageOf = async (apiKey: string) => {
  const { data } = (await send('/usage', apiKey, { method: 'GET' })).body;
  const { used, reserved } = data.productGroups.livenessDetection;
  return { livemode: data.livemode, used, reserved };
};

/** Lets a step's time pass, and the whole time of a session that only waits. */
async function pass({ accountId, sessionId }: Made): Promise<void> {
  const { session } = sessionKeys({ accountId, sessionId });
  const before = String(Date.now() - 1);
  expect(Number(await redis.zscore(dueKey(accountId), sessionId))).toBeLessThan(Date.now() + 6_000);
  const isPaced = await redis.hexists(session, 'stepMs');
  for (const field of [...(isPaced ? ['leaveAt', 'checkingUntil'] : ['expiresAt'])])
    if (await redis.hexists(session, field)) await redis.hset(session, field, before);
  await redis.zadd(dueKey(accountId), before, sessionId);
}

/** Sweeps once, and lets the steps end that the sweep began. */
async function sweepFully(sweeper: SessionSweeper | undefined): Promise<void> {
  await sweeper?.sweep(0.002);
  await sweeper?.idle();
}

/** The statuses after each sweep, until the session has ended. Each sweep is that of another gateway. */
async function run(made: Made): Promise<string[]> {
  const statuses = [(await read(made)).status];
  for (const sweeper of [...sweepers(), ...sweepers()]) {
    if ((await redis.zscore(dueKey(made.accountId), made.sessionId)) === null) break;
    await pass(made);
    await sweepFully(sweeper);
    statuses.push((await read(made)).status);
  }
  return statuses;
}

const cases = [
  {
    testOutcome: 'live',
    statuses: ['created', 'started', 'checking', 'completed'],
    ended: { result: { isLive: true, confidence: 0.97 } },
  },
  {
    testOutcome: 'spoof',
    statuses: ['created', 'started', 'checking', 'failed'],
    ended: { failureReason: 'spoofSuspected' },
  },
  {
    testOutcome: 'noMatch',
    statuses: ['created', 'started', 'checking', 'completed'],
    ended: {
      result: { isLive: true, confidence: 0.97 },
      match: { isMatch: false, similarity: 0.12, similarityThreshold: 0.8 },
    },
  },
  { testOutcome: 'expired', statuses: ['created', 'expired'], ended: {} },
  { testOutcome: 'abandoned', statuses: ['created', 'started', 'started', 'cancelled'], ended: {} },
];

test.each(cases)('createLivenessSession 200: $testOutcome ends as requested', async (testCase) => {
  const { testOutcome, statuses, ended } = testCase;
  const made = await newSession({ testOutcome, metadata: { order: 7 } });
  expect(made.livemode).toBe(false);
  expect(await run(made)).toEqual(statuses);
  const seen = await read(made);
  const { result, match, failureReason } = seen;
  expect({
    ...(result && { result }),
    ...(match && { match }),
    ...(failureReason && { failureReason }),
  }).toEqual(ended);
  expect(seen).toMatchObject({ livemode: false, metadata: { order: 7 } });
  const final = `session.${statuses.at(-1)}`;
  expect(await eventsOf(made.accountId)).toEqual(
    statuses.includes('started') ? ['session.started', final] : [final],
  );
  const isBilled = ['completed', 'failed'].includes(statuses.at(-1) as string);
  expect(await usageOf(made.apiKey)).toEqual({ livemode: false, used: isBilled ? 1 : 0, reserved: 0 });
});

test.each(['live', 'spoof'])(
  'a session that ends as requested, %s, is no verdict for the metrics',
  async (testOutcome) => {
    const ended: string[] = [];
    const observer = { ...createMetrics().liveness, ended: (outcome: string) => ended.push(outcome) };
    const { sweeper } = realLiveness(redis, tier, { observer });
    const made = await newSession({ testOutcome });
    for (let step = 0; step < 3; step++) {
      await pass(made);
      await sweepFully(sweeper);
    }
    expect((await read(made)).status).toBe(testOutcome === 'live' ? 'completed' : 'failed');
    expect(ended).toEqual([]);
  },
);

test('the page about testing lists the outcomes with their statuses', () => {
  const page = readFileSync(join(__dirname, '../../../web/content/docs/testing.mdx'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (`created`.*?) \|/gm)].map(([, outcome, statuses = '']) => [
    outcome,
    statuses.replaceAll('`', ''),
  ]);
  const seen = cases.map(({ testOutcome, statuses }) => [testOutcome, [...new Set(statuses)].join(', ')]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(seen));
});

test('a test image serves as reference image, and matches', async () => {
  const made = await newSession({ testOutcome: 'live', imageToCompare: face });
  await run(made);
  expect((await read(made)).match).toEqual({ isMatch: true, similarity: 0.97, similarityThreshold: 0.8 });
});

test('createLivenessSession 400: a live key has no test outcome', async () => {
  const { accountId } = await newSession({});
  const { apiKey } = await services.keys.createKey(accountId, 'live');
  const { status, body } = await send('/liveness', apiKey, { body: { testOutcome: 'live' } });
  expect([status, body.error.code, body.error.reason]).toEqual([400, 'INVALID_PARAMETERS', 'testOnly']);
  expect(await usageOf(apiKey)).toEqual({ livemode: true, used: 0, reserved: 0 });
});

test('a session of a live key is live and waits for its user', async () => {
  const made = await newSession({}, 'live');
  expect([made.livemode, (await read(made)).livemode]).toEqual([true, true]);
  const due = Number(await redis.zscore(dueKey(made.accountId), made.sessionId));
  expect(due).toBeGreaterThan(Date.now() + 60_000);
});

test('a page may start the session, but no attempt of a camera changes its outcome', async () => {
  const made = await newSession({ testOutcome: 'spoof' });
  const { body } = await send(`${made.path}/start`, made.accessToken, { body: {} });
  expect(body.data.status).toBe('started');
  const attempt = await send(`${made.path}/attempts`, made.accessToken, {
    body: { consent: true, device: { id: 'a'.repeat(32) } },
  });
  expect([attempt.status, attempt.body.error.reason]).toEqual([409, 'attempts']);
  expect(await run(made)).toEqual(['started', 'checking', 'failed']);
  expect(await eventsOf(made.accountId)).toEqual(['session.started', 'session.failed']);
});

test('only the account learns why a session failed, never its user', async () => {
  const made = await newSession({ testOutcome: 'spoof' });
  await run(made);
  const { data } = (await send('/liveness', made.apiKey, { method: 'GET' })).body;
  expect(data.items).toMatchObject([{ status: 'failed', failureReason: 'spoofSuspected' }]);
  const { accountId, sessionId, path, accessToken } = made;
  const details = await createEventDetails(redis, { KEY_SECRET: keySecret }).readDetails(
    accountId,
    sessionId,
  );
  expect(details).toMatchObject({ failureReason: 'spoofSuspected' });
  const attempt = `${path}/attempts/att_${'0'.repeat(20)}`;
  const seen = [
    await send(path, accessToken, { method: 'GET' }),
    await send(`${attempt}/complete`, accessToken, { body: {} }),
    await send(`${path}/start`, accessToken, { body: {} }),
    await send(`${path}/cancel`, accessToken, { body: {} }),
    await send(`${path}/leave`, accessToken, { body: {} }),
  ];
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 409, 200, 200]);
  expect(JSON.stringify(seen)).not.toMatch(/failureReason|spoof/i);
});

test('deleteLivenessSession 200: erases a session on its way', async () => {
  const made = await newSession({ testOutcome: 'live' });
  await pass(made);
  await sweepFully(sweepers()[0]);
  expect((await send(made.path, made.apiKey, { method: 'DELETE' })).status).toBe(200);
  await sweepFully(sweepers()[0]);
  expect(await eventsOf(made.accountId)).toEqual(['session.started', 'session.cancelled']);
  expect((await redis.keys('*')).filter((key) => key.includes(made.sessionId))).toEqual([]);
});

test('a synchronous webhook that fails at first is asked again, and may reject the session', async () => {
  const asked: SessionEvent[] = [];
  const decide = async (event: SessionEvent) => {
    asked.push(event);
    if (asked.length === 1) throw new Error('no response');
    return { decision: 'reject' } as const;
  };
  const webhooks = { events: { notify: () => {} }, sync: { decide } };
  const { sweeper } = realLiveness(redis, tier, { webhooks });
  const made = await newSession({ testOutcome: 'live' });
  await pass(made);
  await sweepFully(sweeper);
  expect((await read(made)).status).toBe('started');
  await pass(made);
  await sweepFully(sweeper);
  expect((await read(made)).status).toBe('cancelled');
  expect(new Set(asked.map(({ eventId }) => eventId)).size).toBe(1);
});

test('a repeated call about an ended session still names the page of a synchronous webhook', async () => {
  const redirectUrl = 'https://app.example.com/welcome';
  const decide = async ({ eventType }: SessionEvent) =>
    eventType === 'session.completed'
      ? ({ decision: 'redirect', redirectUrl } as const)
      : ({ decision: 'redirect', redirectUrl: 'https://app.example.com/wait' } as const);
  const webhooks = { events: { notify: () => {} }, sync: { decide } };
  const { sweeper } = realLiveness(redis, tier, { webhooks });
  const made = await newSession({ testOutcome: 'live', returnUrl: 'https://app.example.com/done' });
  const seen = async () => (await send(made.path, made.accessToken, { method: 'GET' })).body.data.returnUrl;
  for (const status of ['started', 'checking', 'completed']) {
    expect(await seen()).toBe('https://app.example.com/done');
    await pass(made);
    await sweepFully(sweeper);
    expect((await read(made)).status).toBe(status);
  }
  expect(await seen()).toBe(redirectUrl);
  const path = `${made.path}/attempts/att_${'0'.repeat(20)}/complete`;
  const { body } = await send(path, made.accessToken, { body: {} });
  expect(body.data).toEqual({ status: 'completed', attemptsLeft: 0, returnUrl: redirectUrl });
});

test('asynchronous endpoints get an event while a synchronous one has not responded yet', async () => {
  let respond = () => {};
  const response = new Promise<void>((resolve) => {
    respond = resolve;
  });
  let onAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  const notified: string[] = [];
  const decide = async () => {
    onAsked();
    await response;
    return { decision: 'continue' } as const;
  };
  const webhooks = { events: { notify: (id: string) => void notified.push(id) }, sync: { decide } };
  const { sweeper } = realLiveness(redis, tier, { webhooks });
  const made = await newSession({ testOutcome: 'live' });
  await pass(made);
  await sweeper.sweep(0.002);
  await asked;
  expect(notified).toContain(made.accountId);
  respond();
  await sweeper.idle();
});
