/**
 * Limits, quotas, batches and usage over HTTP, on a real Redis with the real inference tier behind it.
 *
 * Slow: it uses up rates and quotas with hundreds of real operations.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import errors from '@presenza/contract/errors.json';
import plans from '@presenza/contract/plans.json';
import sharp from 'sharp';
import { waitUntil } from '../harness/index.mjs';
import type { ErrorCode } from '../src/errors';
import type { KeyMode } from '../src/services/keys/api-key';
import { monthOf } from '../src/services/metering/months';
import { type PlanTier, termsOf } from '../src/services/plans/terms';
import { accountKey } from '../src/stores/account-key';
import { RedisMeter } from '../src/stores/redis-meter';
import { schemas } from './contract';
import { TestGateway } from './test-gateway';

const demo = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo');
const uri = (name: string) => `data:image/jpeg;base64,${readFileSync(join(demo, name)).toString('base64')}`;
const group = uri('sample4.jpg');
const others = uri('sample2.jpg');
/** A JPEG whose scan ends in the middle, in front of its end marker. */
const damaged = (() => {
  const bytes = Buffer.from(group.slice(group.indexOf(',') + 1), 'base64');
  const halves = [bytes.subarray(0, bytes.length / 2), Buffer.from([0xff, 0xd9])];
  return `data:image/jpeg;base64,${Buffer.concat(halves).toString('base64')}`;
})();
const cut = group.slice(0, group.indexOf(',') + 1 + 20_000);
/** A grey square: nobody is on it. */
let nobody: string;

let gateway: TestGateway;

beforeAll(async () => {
  const grey = { width: 64, height: 64, channels: 3, background: '#888' } as const;
  nobody = `data:image/png;base64,${(await sharp({ create: grey }).png().toBuffer()).toString('base64')}`;
  gateway = await TestGateway.start({ realTier: true });
});
afterAll(() => gateway.stop());

interface Caller {
  readonly id: string;
  readonly key: string;
}

async function caller(plan: PlanTier, mode: KeyMode = 'live'): Promise<Caller> {
  const { id } = await gateway.services.keys.createAccount('Tests', plan);
  return { id, key: (await gateway.services.keys.createKey(id, mode)).apiKey };
}

/** A caller on the free plan whose rate refills by one operation every 36 s, however long a test takes. */
async function slowlyRefilled(): Promise<Caller> {
  const who = await caller('free');
  const burst = { ...termsOf('free').burst, windowSeconds: 3_600 };
  await gateway.services.keys.updateAccount(who.id, { overrides: { burst } });
  return who;
}

async function send({ key }: Caller, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  const parsed: any = json ? JSON.parse(text) : undefined;
  if (response.status !== 200) expect(schemas.validate('error-response.json', parsed)).toBe(true);
  return { status: response.status, headers: response.headers, body: parsed, text };
}
type Reply = Awaited<ReturnType<typeof send>>;

function expectError({ status, body, headers }: Reply, code: ErrorCode, reason?: string): void {
  expect(body.error).toMatchObject({ code, ...(reason && { reason }) });
  expect(status).toBe(errors[code].status);
  expect(headers.get('x-request-id')).toBe(body.requestId);
}

async function usageOf(who: Caller) {
  const { status, body } = await send(who, '/usage');
  expect([status, body.error]).toEqual([200, undefined]);
  expect(schemas.validate('usage-response.json', body)).toBe(true);
  return body.data;
}
const analysesOf = async (who: Caller) => (await usageOf(who)).productGroups.imageAnalysis;

/** Records units as if they had been used this month. */
const use = (who: Caller, units: number, mode: KeyMode = 'live') =>
  gateway.redis.hset(accountKey(who.id, 'usage'), `${mode}:${monthOf(Date.now())}:imageAnalysis:used`, units);

describe('POST /compare', () => {
  test.each(['/compare', '/v1/compare'])('%s: an image against itself, largest face first', async (path) => {
    const who = await caller('basic');
    const { status, body } = await send(who, path, { sourceImage: group, targetImage: group });
    expect(status).toBe(200);
    expect(schemas.validate('compare-response.json', body)).toBe(true);
    const { sourceImageFace, matchedFaces, unmatchedFaces } = body.data;
    expect(matchedFaces).toHaveLength(1);
    expect(unmatchedFaces).toHaveLength(3);
    expect(matchedFaces[0].similarity).toBeGreaterThan(0.99);
    expect(matchedFaces[0].boundingBox).toEqual(sourceImageFace.boundingBox);
    expect(sourceImageFace).toMatchObject({ quality: matchedFaces[0].quality, warnings: [] });
    expect(unmatchedFaces.every((face: object) => !('similarity' in face))).toBe(true);
    expect(await analysesOf(who)).toMatchObject({ used: 1, reserved: 0 });
  });

  test('the threshold parts the faces', async () => {
    const who = await caller('basic');
    const body = { sourceImage: group, targetImage: group };
    const all = await send(who, '/compare', { ...body, similarityThreshold: 0 });
    expect(all.body.data.matchedFaces).toHaveLength(4);
    expect(all.body.data.unmatchedFaces).toEqual([]);
    const other = await send(who, '/compare', { sourceImage: group, targetImage: others });
    expect(other.body.data.matchedFaces).toEqual([]);
  });

  test.each([
    ['source', 'sourceImage'],
    ['target', 'targetImage'],
  ])('no face in the %s is NO_FACE_DETECTED and costs nothing', async (reason, field) => {
    const who = await caller('basic');
    const body = { sourceImage: group, targetImage: group, [field]: nobody };
    expectError(await send(who, '/compare', body), 'NO_FACE_DETECTED', reason);
    expect(await analysesOf(who)).toMatchObject({ used: 0, reserved: 0 });
  });

  test.each(['sourceImage', 'targetImage'])('a damaged %s is named', async (field) => {
    const who = await caller('basic');
    const body = { sourceImage: group, targetImage: group, [field]: cut };
    const reply = await send(who, '/compare', body);
    expect(reply.status).toBe(400);
    expect(reply.body.error.message).toContain(field);
  });
});

describe('rate limits', () => {
  test('every response to a valid key reports the remaining rate; rejected requests count too', async () => {
    const good = await send(await caller('free'), '/detect', { image: nobody });
    expect(good.headers.get('ratelimit-policy')).toBe('"burst";q=100;w=60');
    expect(good.headers.get('ratelimit')).toBe('"burst";r=99;t=1');
    const who = await slowlyRefilled();
    const bad = await send(who, '/detect', { photo: nobody });
    expectError(bad, 'INVALID_PARAMETERS', 'missing');
    expect(bad.headers.get('ratelimit')).toBe('"burst";r=99;t=36');
    const again = await send(who, '/detect', { photo: nobody });
    expect(again.headers.get('ratelimit')).toMatch(/^"burst";r=98;t=(3[7-9]|[4-6]\d|7[0-2])$/);
  });

  test.each([
    '/usage',
    '/liveness',
    '/liveness/ses_none',
    '/events',
    '/events/evt_none',
    '/webhooks',
    '/webhooks/wh_none/deliveries',
    '/keys',
  ])('GET %s has a limit of its own and is served while operations are refused', async (path) => {
    const who = await caller('basic');
    await gateway.services.keys.updateAccount(who.id, {
      overrides: { burst: { limit: 1, windowSeconds: 3_600 } },
    });
    expectError(await send(who, '/detect', {}), 'INVALID_PARAMETERS', 'missing');
    expectError(await send(who, '/detect', {}), 'RATE_LIMIT_EXCEEDED', 'burst');
    const read = await send(who, path);
    expect([200, 404]).toContain(read.status);
    expect(read.headers.get('ratelimit-policy')).toBe('"reads";q=1;w=3600');
    expect(read.headers.get('ratelimit')).toBe('"reads";r=0;t=3600');
    expectError(await send(who, path), 'RATE_LIMIT_EXCEEDED', 'burst');
  });

  test('refused images count as many operations as decoding them took; completed ones count once', async () => {
    const who = await slowlyRefilled();
    const left = async (path: string, body?: object) => {
      const reply = await send(who, path, body);
      return [reply.status, Number(/r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1])];
    };
    const flat = (side: number) =>
      sharp({ create: { width: side, height: 1.25 * side, channels: 3, background: '#777' } })
        .png()
        .toBuffer()
        .then((bytes) => `data:image/png;base64,${bytes.toString('base64')}`);
    const [large, small] = [await flat(4_000), await flat(100)];
    // Each of the large images is worth 300 ms of decoding and some for its bytes, so that both are seven operations.
    expect(await left('/detect', { image: large })).toEqual([200, 99]);
    expect(await left('/compare', { sourceImage: small, targetImage: small })).toEqual([400, 98]);
    expect(await left('/compare', { sourceImage: large, targetImage: large })).toEqual([400, 91]);
    const operations = Array.from({ length: 2 }, () => ({
      operation: 'compare',
      body: { sourceImage: large, targetImage: large },
    }));
    expect(await left('/batch', { operations })).toEqual([200, 89]);
    expect(await left('/detect', {})).toEqual([400, 76]);
    expect(await analysesOf(who)).toMatchObject({ used: 1, reserved: 0 });
  });

  test('requests of no known type, too large ones and forbidden ones count, too', async () => {
    const { id, key } = await slowlyRefilled();
    const { apiKey } = await gateway.services.keys.createKey(id, 'live', { products: ['imageModeration'] });
    const replies = [
      await send({ id, key }, '/detect', {}, { 'content-type': 'text/plain' }),
      await send({ id, key }, '/detect', { image: 'x'.repeat(17 * 2 ** 20) }),
      await send({ id, key: apiKey }, '/detect', { image: nobody }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([415, 400, 403]);
    // Only what was counted says what is left.
    for (const { headers } of replies) expect(headers.get('ratelimit')).toMatch(/^"burst";r=9[789];t=/);
  });

  test('requests above the burst get 429 with Retry-After, even if they would be rejected anyway', async () => {
    const who = await slowlyRefilled();
    const begin = performance.now();
    const replies = await Promise.all(Array.from({ length: 110 }, () => send(who, '/usage')));
    const refilled = Math.floor((performance.now() - begin) / 36_000);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(110 - 100 - refilled);
    expect(refused.length).toBeLessThanOrEqual(110 - 100);
    for (const reply of refused) {
      expectError(reply, 'RATE_LIMIT_EXCEEDED', 'burst');
      const seconds = Number(reply.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(36);
      expect(reply.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=\d+$/);
    }
  });

  test('more at once than the plan allows', async () => {
    const who = await caller('free');
    const meter = new RedisMeter(gateway.redis);
    const principal = {
      accountId: who.id,
      keyId: 'k',
      mode: 'live',
      plan: 'free',
      terms: termsOf('free'),
    } as const;
    const item = { index: 0, product: 'faceDetection', group: 'livenessDetection' } as const;
    for (let i = 0; i < principal.terms.concurrency; i++) {
      const terms = { ...principal.terms, quota: { livenessDetection: 100, imageAnalysis: 100 } };
      await meter.admit(
        { ...principal, terms },
        { admissionId: `o${i}`, operations: 1, items: [item], leaseMs: 60_000 },
        [{ ...item, mode: 'live', keyId: 'k', month: '2026-02', day: 1 }],
      );
    }
    expectError(await send(who, '/detect', { image: nobody }), 'RATE_LIMIT_EXCEEDED', 'concurrency');
  });
});

describe('quotas', () => {
  test('a free plan that is over quota gets QUOTA_EXCEEDED until the first of next month', async () => {
    const who = await caller('free');
    await use(who, 49);
    expect((await send(who, '/detect', { image: nobody })).status).toBe(200);
    const refused = await send(who, '/detect', { image: nobody });
    expectError(refused, 'QUOTA_EXCEEDED', 'imageAnalysis');
    expect(refused.body.error.message).toMatch(/^The monthly quota of 50 .* resets on \d{4}-\d\d-01\.$/);
    const seconds = Number(refused.headers.get('retry-after'));
    const { resetsAt } = refused.body.error;
    expect(resetsAt).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
    expect(refused.body.error.message).toContain(resetsAt.slice(0, 10));
    const secondsLeft = (Date.parse(resetsAt) - Date.now()) / 1_000;
    expect(secondsLeft).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect(seconds).toBeGreaterThanOrEqual(Math.min(3_600, Math.floor(secondsLeft)));
    expect(await analysesOf(who)).toMatchObject({ used: 50, reserved: 0, remaining: 0 });
  });

  describe('a quota whose rest others hold is not used up', () => {
    const quota = { livenessDetection: 2, imageAnalysis: 2 };

    test('liveness sessions: the next may begin when one expires or ends without a verdict', async () => {
      const who = await caller('free');
      await gateway.services.keys.updateAccount(who.id, { overrides: { quota } });
      const first = (await send(who, '/liveness', {})).body.data;
      // A session of the other mode frees no unit of this one.
      const test = { id: who.id, key: (await gateway.services.keys.createKey(who.id, 'test')).apiKey };
      await send(test, '/liveness', { testOutcome: 'expired' });
      await send(who, '/liveness', {});
      const refused = await send(who, '/liveness', {});
      expectError(refused, 'RATE_LIMIT_EXCEEDED', 'reservedBySessions');
      expect(refused.body.error.message).toContain('quota of 2 liveness verifications is reserved');
      expect(refused.body.error).not.toHaveProperty('resetsAt');
      const inSeconds = Number(refused.headers.get('retry-after'));
      const untilExpiry = (Date.parse(first.sessionExpiresAt) - Date.now()) / 1_000;
      expect(Math.abs(inSeconds - untilExpiry)).toBeLessThan(5);
      const { livenessDetection } = (await usageOf(who)).productGroups;
      expect(livenessDetection).toMatchObject({ used: 0, reserved: 2, remaining: 0 });
      await fetch(`${gateway.url}/liveness/${first.sessionId}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${who.key}` },
      });
      expect((await send(who, '/liveness', {})).status).toBe(200);
    });

    test('image analyses: until a running request ends', async () => {
      const who = await caller('free');
      await gateway.services.keys.updateAccount(who.id, { overrides: { quota } });
      const meter = new RedisMeter(gateway.redis);
      const terms = { ...termsOf('free'), quota };
      const principal = { accountId: who.id, keyId: 'k', mode: 'live', plan: 'free', terms } as const;
      const items = [0, 1].map(
        (index) => ({ index, product: 'faceDetection', group: 'imageAnalysis' }) as const,
      );
      const month = monthOf(Date.now());
      await meter.admit(
        principal,
        { admissionId: 'running', operations: 2, items, leaseMs: 60_000 },
        items.map((item) => ({ ...item, mode: 'live', keyId: 'k', month, day: 1 })),
      );
      const refused = await send(who, '/detect', { image: nobody });
      expectError(refused, 'RATE_LIMIT_EXCEEDED', 'reservedByRequests');
      expect(refused.headers.get('retry-after')).toBe('1');
      const batch = await send(who, '/batch', {
        operations: [{ operation: 'detect', body: { image: nobody } }],
      });
      expect(batch.body.data.results[0].error.reason).toBe('reservedByRequests');
      const settlement = { accountId: who.id, mode: 'live', admissionId: 'running', operations: 2 } as const;
      await meter.settle({ ...settlement, commits: [0, 1], refunds: [], ends: true });
      expectError(await send(who, '/detect', { image: nobody }), 'QUOTA_EXCEEDED', 'imageAnalysis');
    });
  });

  test('200 at once on a fresh free account: exactly the quota is served', async () => {
    const who = await caller('free');
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => send(who, '/detect', { image: nobody })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
    // The rate of the account refills within a second.
    const usage = await waitUntil('the rate has refilled', async () => {
      const { status, body } = await send(who, '/usage');
      return status === 200 && body.data;
    });
    expect(usage.productGroups.imageAnalysis).toMatchObject({ used: 50, reserved: 0 });
  });

  test.each(plans.filter(({ isFree }) => !isFree).map(({ tier }) => tier))(
    '%s goes on above its quota and pays for it',
    async (tier) => {
      const who = await caller(tier);
      const { quota, overage } = termsOf(tier);
      await use(who, quota.imageAnalysis + 2);
      expect((await send(who, '/detect', { image: nobody })).status).toBe(200);
      const cost = Number((3 * (overage?.imageAnalysis ?? 0)).toFixed(6));
      expect(await analysesOf(who)).toMatchObject({ overageUnits: 3, overageCost: cost, remaining: 0 });
      expect((await usageOf(who)).overageCost).toBe(cost);
    },
  );

  test('test keys are counted on their own, stop at the quota and cost nothing', async () => {
    const who = await caller('basic', 'test');
    await use(who, 499, 'test');
    expect((await send(who, '/detect', { image: nobody })).status).toBe(200);
    expectError(await send(who, '/detect', { image: nobody }), 'QUOTA_EXCEEDED');
    const live = { id: who.id, key: (await gateway.services.keys.createKey(who.id, 'live')).apiKey };
    expect((await send(live, '/detect', { image: nobody })).status).toBe(200);
    expect(await analysesOf(live)).toMatchObject({ used: 1 });
    expect(await usageOf(who)).toMatchObject({ mode: 'test', overageCost: 0 });
  });

  test('failed operations are not billed', async () => {
    const who = await caller('free');
    expectError(await send(who, '/detect', { image: cut }), 'INVALID_IMAGE', 'truncated');
    expectError(await send(who, '/detect', { image: damaged }), 'INVALID_IMAGE', 'corrupt');
    expect(await analysesOf(who)).toMatchObject({ used: 0, reserved: 0, remaining: 50 });
  });
});

describe('Idempotency-Key', () => {
  const key = { 'idempotency-key': 'order-1' };

  test('a repeated request is served again and counted once', async () => {
    const who = await caller('free');
    for (let i = 0; i < 3; i++) {
      const { status, body, headers } = await send(who, '/detect', { image: group }, key);
      expect(status).toBe(200);
      expect(headers.get('idempotent-replayed')).toBe(i === 0 ? null : 'true');
      expect(body.data.faceCount).toBe(4);
    }
    expect(await analysesOf(who)).toMatchObject({ used: 1 });
  });

  test('the same key with another body or operation is a conflict', async () => {
    const who = await caller('free');
    await send(who, '/detect', { image: nobody }, key);
    for (const [path, body] of [
      ['/detect', { image: group }],
      ['/moderate', { image: nobody }],
    ] as const) {
      const reply = await send(who, path, body, key);
      expectError(reply, 'IDEMPOTENCY_CONFLICT', 'mismatch');
      expect(reply.headers.get('retry-after')).toBeNull();
    }
  });

  test('one of several concurrent requests with one key runs, and the others get Retry-After', async () => {
    const who = await caller('free');
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => send(who, '/detect', { image: group }, key)),
    );
    for (const reply of replies.filter(({ status }) => status !== 200)) {
      expectError(reply, 'IDEMPOTENCY_CONFLICT', 'inProgress');
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await analysesOf(who)).toMatchObject({ used: 1 });
  });

  test('a failed request can be repeated with the same key, a rejected one also with other parameters', async () => {
    const who = await caller('free');
    const broken = { image: cut };
    expectError(await send(who, '/detect', broken, key), 'INVALID_IMAGE');
    expectError(await send(who, '/detect', broken, key), 'INVALID_IMAGE');
    const refused = { 'idempotency-key': 'order-2' };
    expectError(await send(who, '/detect', { image: 'x' }, refused), 'INVALID_IMAGE', 'dataUri');
    expect((await send(who, '/detect', { image: nobody }, refused)).status).toBe(200);
  });

  test.each([' ', 'ä', 'x'.repeat(256)])('a key of an odd form is refused: %j', async (value) => {
    const who = await caller('free');
    const reply = await send(who, '/detect', { image: nobody }, { 'idempotency-key': value });
    expectError(reply, 'INVALID_PARAMETERS', 'header');
  });
});

describe('POST /batch', () => {
  const mixed = () => [
    { id: 'a', operation: 'detect', body: { image: group } },
    { id: 'b', operation: 'compare', body: { sourceImage: group, targetImage: nobody } },
    { operation: 'moderate', body: { image: group } },
    { id: 'd', operation: 'detect', body: { image: group, atributes: 'all' } },
  ];

  test('results come in order, each as it would be on its own, and successes are billed', async () => {
    const who = await caller('basic');
    const { status, body, headers } = await send(who, '/batch', { operations: mixed() });
    expect(status).toBe(200);
    expect(schemas.validate('batch-response.json', body)).toBe(true);
    const { results, succeeded, failed } = body.data;
    expect({ succeeded, failed }).toEqual({ succeeded: 2, failed: 2 });
    expect(results).toEqual([
      { index: 0, id: 'a', operation: 'detect', status: 200, success: true, data: expect.anything() },
      expect.objectContaining({
        index: 1,
        id: 'b',
        status: 400,
        success: false,
        error: expect.objectContaining({ code: 'NO_FACE_DETECTED', reason: 'target' }),
      }),
      { index: 2, operation: 'moderate', status: 200, success: true, data: { detectedElements: [] } },
      expect.objectContaining({
        index: 3,
        id: 'd',
        status: 400,
        error: expect.objectContaining({ code: 'INVALID_PARAMETERS', reason: 'unknown' }),
      }),
    ]);
    expect(results[0].data.faceCount).toBe(4);
    expect(headers.get('ratelimit')).toMatch(/^"burst";r=196;/);
    expect(await analysesOf(who)).toMatchObject({ used: 2, reserved: 0 });
  });

  test('as a stream: a line for each operation as it ends, then a summary', async () => {
    const who = await caller('basic');
    const reply = await send(who, '/batch', { operations: mixed() }, { accept: 'application/x-ndjson' });
    expect(reply.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const lines = reply.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const line of lines) expect(schemas.validate('batch-line.json', line)).toBe(true);
    expect(
      lines
        .slice(0, -1)
        .map(({ index }) => index)
        .sort(),
    ).toEqual([0, 1, 2, 3]);
    expect(lines.at(-1)).toEqual({
      success: true,
      data: { livemode: true, succeeded: 2, failed: 2 },
      requestId: reply.headers.get('x-request-id'),
    });
    expect(await analysesOf(who)).toMatchObject({ used: 2, reserved: 0 });
  });

  test('64 operations; those above a hard quota are refused one by one', async () => {
    const who = await caller('free');
    await use(who, 40);
    const many = Array.from({ length: 64 }, () => ({ operation: 'detect', body: { image: nobody } }));
    const { body } = await send(who, '/batch', { operations: many });
    expect(body.data).toMatchObject({ succeeded: 10, failed: 54 });
    expect(body.data.results[63].error).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      resetsAt: expect.stringMatching(/-01T00:00:00\.000Z$/),
    });
    expect(await analysesOf(who)).toMatchObject({ used: 50, reserved: 0 });
  });

  test('repeated with its Idempotency-Key it counts once', async () => {
    const who = await caller('basic');
    const key = { 'idempotency-key': 'b' };
    for (const [accept, replayed] of [
      ['application/json', null],
      ['application/json', 'true'],
      ['application/x-ndjson', 'true'],
    ] as const) {
      const { headers } = await send(who, '/batch', { operations: mixed() }, { ...key, accept });
      expect(headers.get('idempotent-replayed')).toBe(replayed);
    }
    expect(await analysesOf(who)).toMatchObject({ used: 2, reserved: 0 });
  });

  test.each([
    ['none', []],
    ['65', Array(65).fill({ operation: 'detect', body: {} })],
  ])('%s operations are refused', async (_name, list) => {
    const who = await caller('basic');
    expectError(await send(who, '/batch', { operations: list }), 'INVALID_PARAMETERS', 'value');
  });

  test('two operations of one name are refused', async () => {
    const who = await caller('basic');
    const [first] = mixed();
    const reply = await send(who, '/batch', { operations: [first, first] });
    expectError(reply, 'INVALID_PARAMETERS', 'duplicate');
  });
});

describe('GET /usage', () => {
  test('returns quotas, a series by day and the usage of this month', async () => {
    const who = await caller('growth');
    await send(who, '/detect', { image: nobody });
    const data = await usageOf(who);
    expect(data).toMatchObject({ plan: 'growth', mode: 'live', currency: 'USD', overageCost: 0 });
    const today = new Date().toISOString().slice(0, 10);
    expect(data.daily).toContainEqual({ date: today, livenessDetection: 0, imageAnalysis: 1 });
    expect(data.productGroups.livenessDetection).toMatchObject({ quota: 200, used: 0 });
  });

  test('returns the usage of an earlier month', async () => {
    const who = await caller('growth');
    const now = new Date();
    const month = monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
    await gateway.redis.hset(accountKey(who.id, 'usage'), `live:${month}:imageAnalysis:used`, 1_100);
    const { body } = await send(who, `/usage?month=${month}`);
    expect(body.data.period.start).toBe(`${month}-01T00:00:00.000Z`);
    expect(body.data.productGroups.imageAnalysis).toMatchObject({ overageUnits: 100, overageCost: 1.5 });
  });

  test.each(['2026-13', 'x', '1999-01', '2999-01'])('refuses the month %s', async (month) => {
    const who = await caller('free');
    expectError(await send(who, `/usage?month=${month}`), 'INVALID_PARAMETERS', 'value');
  });
});
