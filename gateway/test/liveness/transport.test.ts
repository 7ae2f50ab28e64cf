/** How the calls of an attempt are made, over HTTP on a real Redis: signatures, origins, and attempts that are abandoned. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import limits from '@presenza/contract/limits.json';
import sharp from 'sharp';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import { ApiError } from '../../src/errors';
import { createApp } from '../../src/http/app';
import type { Movement } from '../../src/services/liveness/capture/evidence';
import { SealedAttempt } from '../../src/services/liveness/capture/sealed-attempt';
import { sessionKeys } from '../../src/stores/liveness/keys';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { schemas } from '../contract';
import { keepOpen, realServices } from '../services';
import { tierThatDetects } from '../stand-in';

const poses: Readonly<Record<Movement, { yaw: number; pitch: number }>> = {
  centre: { yaw: 0, pitch: 0 },
  left: { yaw: 35, pitch: 0 },
  right: { yaw: -35, pitch: 0 },
  up: { yaw: 0, pitch: 20 },
  down: { yaw: 0, pitch: -20 },
};
let pose = poses.centre;
/** Sees one well placed face in every image. Other tests use the real tier. */
const tier = tierThatDetects(
  async () =>
    ({
      faces: [
        {
          boundingBox: { left: 0.3, top: 0.25, width: 0.4, height: 0.5 },
          quality: { brightness: 0.5, sharpness: 0.5 },
          attributes: { pose: { ...pose, roll: 0 } },
        },
      ],
    }) as never,
);

let redisServer: RunningServer;
let redis: RedisClient;
let services: ReturnType<typeof realServices>;
let server: Server;
let url: string;
let jpeg: Buffer;
let account: { id: string; apiKey: string };

beforeAll(async () => {
  redisServer = await startRedis();
  redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  services = realServices(redis, tier);
  server = createServer(keepOpen, createApp(services)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  jpeg = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  redis.disconnect();
  await redisServer.stop();
});
beforeEach(async () => {
  pose = poses.centre;
  const { id } = await services.keys.createAccount('Shop', 'growth');
  account = { id, apiKey: (await services.keys.createKey(id, 'live')).apiKey };
});

/** Bytes after the end of a JPEG change nothing but its digest. */
const imageOf = (text: string) => Buffer.concat([jpeg, Buffer.from(text)]);

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}
const newPair = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwkOf = ({ publicKey }: Pair) => publicKey.export({ format: 'jwk' });

type Headers = Readonly<Record<string, string>>;

/** The client of one session. */
class Client {
  sessionId = '';
  token = '';
  constructor(
    readonly device: string = 'device-of-the-tests',
    readonly headers: Headers = {},
  ) {}

  async create(body: object = {}): Promise<this> {
    const { data } = (await this.post('/liveness', JSON.stringify(body), account.apiKey)).body;
    this.sessionId = data.sessionId;
    this.token = data.accessToken;
    return this;
  }

  async open(body: object = {}): Promise<this> {
    await this.create(body);
    expect((await this.start()).status).toBe(200);
    return this;
  }

  start = () => this.call('/start', {});
  begin = (more: object = {}) =>
    this.call('/attempts', { consent: true, device: { id: this.device }, ...more });
  complete = (attemptId: string) => this.call(`/attempts/${attemptId}/complete`, {});
  call = (path: string, body: object) =>
    this.post(`/liveness/${this.sessionId}${path}`, JSON.stringify(body), this.token);

  frame(attemptId: string, nonce: string, signature?: string, image = jpeg) {
    return this.post(`/liveness/${this.sessionId}/attempts/${attemptId}/frames`, image, this.token, {
      'content-type': 'image/jpeg',
      'x-frame-nonce': nonce,
      ...(signature && { 'x-frame-signature': signature }),
    });
  }

  /** Sends frames of a person who follows the steps, up to a step. */
  async follow({ attemptId, nonces }: Begun, upTo: number): Promise<void> {
    let [nonce] = nonces;
    let step: { index: number; movement: Movement } = { index: 0, movement: 'centre' };
    for (let sent = 0; step.index < upTo && sent < 40; sent++) {
      const { body } = await this.frame(attemptId, nonce as string);
      // A turn counts from the neutral pose.
      if (body.data.step.index > step.index || body.data.step.movement !== step.movement) pose = poses.centre;
      else pose = poses[body.data.step.movement as Movement];
      ({ nonce, step } = body.data);
    }
    expect(step.index).toBe(upTo);
    pose = poses.centre;
  }

  private async post(path: string, body: string | Buffer, bearer: string, headers: Headers = {}) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        ...this.headers,
        ...headers,
      },
      body,
    });
    // biome-ignore lint/suspicious/noExplicitAny: the tests check responses against the contract's schemas
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  }
}

interface Begun {
  readonly attemptId: string;
  readonly nonces: string[];
}
type ApiResponse = Awaited<ReturnType<Client['call']>>;
const codeOf = ({ status, body }: ApiResponse) => [status, body.error?.code, body.error?.reason];
const refused = [409, 'SESSION_STATE_CONFLICT', 'frame'];

interface Signed {
  readonly sequence: number;
  readonly timeMs: number;
  readonly image?: Buffer;
}

const signatureOf = (
  { privateKey }: Pair,
  attemptId: string,
  nonce: string,
  { sequence, timeMs, image = jpeg }: Signed,
) => {
  const digest = createHash('sha256').update(image).digest('hex');
  const text = ['liveness-frame-1', attemptId, nonce, sequence, timeMs, digest].join('\n');
  const bytes = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${sequence}.${timeMs}.${bytes.toString('base64url')}`;
};

describe('an attempt that begins with a key', () => {
  let client: Client;
  let pair: Pair;
  let attemptId: string;
  let nonces: [string, string, string];

  beforeEach(async () => {
    client = await new Client().open();
    pair = newPair();
    ({ attemptId, nonces } = (await client.begin({ publicKey: jwkOf(pair) })).body.data);
  });

  const send = (nonce: string, frame: Signed, by = pair) =>
    client.frame(attemptId, nonce, signatureOf(by, attemptId, nonce, frame), frame.image);

  test('accepts signed frames, also those that overtake each other', async () => {
    const last = await send(nonces[2], { sequence: 2, timeMs: 400 });
    expect(last.status).toBe(200);
    expect((await send(nonces[0], { sequence: 0, timeMs: 0 })).status).toBe(200);
    expect((await send(nonces[1], { sequence: 1, timeMs: 200 })).status).toBe(200);
    expect((await send(last.body.data.nonce, { sequence: 3, timeMs: 600 })).status).toBe(200);
  });

  test('accepts frames at once, and one of them if they claim the same place', async () => {
    const atOnce = await Promise.all(nonces.map((nonce, i) => send(nonce, { sequence: i, timeMs: 200 * i })));
    expect(atOnce.map(({ status }) => status)).toEqual([200, 200, 200]);
    const next = atOnce.map(({ body }) => body.data.nonce as string);
    const same = await Promise.all(next.map((nonce) => send(nonce, { sequence: 9, timeMs: 1800 })));
    expect(same.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('accepts a nonce again that a lost frame did not use, with a later number', async () => {
    await send(nonces[1], { sequence: 1, timeMs: 200 });
    expect((await send(nonces[0], { sequence: 2, timeMs: 400 })).status).toBe(200);
  });

  test('does not depend on the clock of the device', async () => {
    expect((await send(nonces[0], { sequence: 0, timeMs: 9_000_000 })).status).toBe(200);
    expect((await send(nonces[1], { sequence: 1, timeMs: 9_000_001 })).status).toBe(200);
    // The clock must not go back.
    expect(codeOf(await send(nonces[2], { sequence: 2, timeMs: 9_000_000 }))).toEqual(refused);
    expect((await send(nonces[2], { sequence: 3, timeMs: 9_000_200 })).status).toBe(200);
  });

  test('refuses frames without a signature, and keeps their nonce valid', async () => {
    expect(codeOf(await client.frame(attemptId, nonces[0]))).toEqual(refused);
    for (const text of ['nonsense', `0.0.${'A'.repeat(86)}`, `0.0.${'A'.repeat(4000)}`]) {
      expect(codeOf(await client.frame(attemptId, nonces[0], text))).toEqual(refused);
    }
    expect((await send(nonces[0], { sequence: 0, timeMs: 0 })).status).toBe(200);
    // The evidence of the attempt.
    const { attempt } = sessionKeys({ accountId: account.id, sessionId: client.sessionId });
    expect(await redis.hget(attempt, 'refused:signature')).toBe('4');
  });

  test('refuses a signature of another frame', async () => {
    const [first, second] = [imageOf('first'), imageOf('second')];
    const signature = signatureOf(pair, attemptId, nonces[0], { sequence: 0, timeMs: 0, image: first });
    // A swapped image.
    expect(codeOf(await client.frame(attemptId, nonces[0], signature, second))).toEqual(refused);
    // Another nonce.
    expect(codeOf(await client.frame(attemptId, nonces[1], signature, first))).toEqual(refused);
    expect((await client.frame(attemptId, nonces[0], signature, first)).status).toBe(200);
    // A replay.
    expect(codeOf(await client.frame(attemptId, nonces[0], signature, first))).toEqual(refused);
    expect(codeOf(await client.frame(attemptId, nonces[1], signature, first))).toEqual(refused);
    // A new signature in an old place.
    expect(codeOf(await send(nonces[1], { sequence: 0, timeMs: 200 }))).toEqual(refused);
  });

  test('refuses the key and the signatures of another attempt', async () => {
    const other = newPair();
    expect(codeOf(await send(nonces[0], { sequence: 0, timeMs: 0 }, other))).toEqual(refused);
    const signature = signatureOf(pair, attemptId, nonces[0], { sequence: 0, timeMs: 0 });
    const next = (await client.begin({ publicKey: jwkOf(pair) })).body.data;
    expect(codeOf(await client.frame(next.attemptId, next.nonces[0], signature))).toEqual(refused);
    // A key holds for one attempt.
    const last = (await client.begin({ publicKey: jwkOf(other) })).body.data;
    const signed = (by: Pair) => signatureOf(by, last.attemptId, last.nonces[0], { sequence: 0, timeMs: 0 });
    expect(codeOf(await client.frame(last.attemptId, last.nonces[0], signed(pair)))).toEqual(refused);
    expect((await client.frame(last.attemptId, last.nonces[0], signed(other))).status).toBe(200);
  });
});

test('an attempt without a key accepts frames without a signature', async () => {
  const client = await new Client().open();
  const { attemptId, nonces } = (await client.begin()).body.data;
  expect((await client.frame(attemptId, nonces[0])).status).toBe(200);
});

const { x = '', y = '' } = jwkOf(newPair());
const wrongKeys: Readonly<Record<string, unknown>> = {
  'a private key': newPair().privateKey.export({ format: 'jwk' }),
  'another curve': generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }),
  'another curve under its name': { kty: 'EC', crv: 'secp256k1', x, y },
  'a key of another type': generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
  'a secret': { kty: 'oct', k: x },
  'a point that is not on the curve': { kty: 'EC', crv: 'P-256', x: y, y: x },
  'the point at infinity': { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) },
  'coordinates over the field’s prime': { kty: 'EC', crv: 'P-256', x: `${'_'.repeat(42)}8`, y },
  'a short coordinate': { kty: 'EC', crv: 'P-256', x: x.slice(1), y },
  'a huge coordinate': { kty: 'EC', crv: 'P-256', x: 'A'.repeat(10_000), y },
  'fields for other uses': { kty: 'EC', crv: 'P-256', x, y, x5u: 'https://evil.example/key' },
  'no object': 'EC',
  null: null,
};

test.each(Object.keys(wrongKeys))('refuses %s as a key', async (name) => {
  const client = await new Client().open();
  const response = await client.begin({ publicKey: wrongKeys[name] });
  expect(codeOf(response).slice(0, 2)).toEqual([400, 'INVALID_PARAMETERS']);
  expect(schemas.validate('error-response.json', response.body)).toBe(true);
  expect(
    await redis.exists(sessionKeys({ accountId: account.id, sessionId: client.sessionId }).attempt),
  ).toBe(0);
});

describe('origins', () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36';
  const metadata = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  const shop = 'https://shop.example';

  /** The faults that the gateway recorded of an attempt with one frame. */
  async function faultsOf(headers: Headers, frameHeaders: Headers = headers) {
    const client = await new Client('device-of-the-tests', headers).open();
    const { attemptId, nonces } = (await client.begin()).body.data;
    Object.assign(client, { headers: frameHeaders });
    expect((await client.frame(attemptId, nonces[0])).status).toBe(200);
    const address = { accountId: account.id, sessionId: client.sessionId };
    const session = await services.liveness.sessions.find(address);
    const sealed = (await redis.hget(sessionKeys(address).attempt, 'state')) as string;
    return new SealedAttempt(session, attemptId).openState(sealed).clientFaults;
  }

  test('a page of the account may make the calls, and no other page', async () => {
    const pageOf = (origin: string) => new Client('device-of-the-tests', { origin });
    const allowedOrigin = ({ headers }: ApiResponse) => headers.get('access-control-allow-origin');
    const foreign = [403, 'PERMISSION_DENIED', 'origin'];
    const client = await pageOf(shop).create();
    expect(codeOf(await client.start())).toEqual(foreign);
    await services.keys.updateAccount(account.id, { origins: [shop] });
    const started = await client.start();
    expect([started.status, allowedOrigin(started)]).toEqual([200, shop]);
    const stranger = Object.assign(pageOf('https://evil.example'), {
      sessionId: client.sessionId,
      token: client.token,
    });
    for (const reply of [await stranger.start(), await stranger.begin(), await stranger.call('/cancel', {})])
      expect(codeOf(reply)).toEqual(foreign);
    expect((await client.start()).status).toBe(200);
    // Another account's pages are strangers as well.
    const { apiKey } = account;
    const { id } = await services.keys.createAccount('Other', 'growth');
    account = { id, apiKey: (await services.keys.createKey(id, 'live')).apiKey };
    expect(codeOf(await (await pageOf(shop).create()).start())).toEqual(foreign);
    expect(apiKey).not.toBe(account.apiKey);
    await services.keys.updateAccount(account.id, { origins: null });
  });

  test.each([
    'http://shop.example',
    'https://shop.example/',
    'https://*.shop.example',
    'null',
    'shop.example',
  ])('an account cannot allow %s', async (origin) => {
    await expect(services.keys.updateAccount(account.id, { origins: [origin] })).rejects.toThrow(
      'https://HOST',
    );
  });

  test('a page inside an app of the account may make the calls, and has no faults', async () => {
    const origin = 'capacitor://localhost';
    await services.keys.updateAccount(account.id, { origins: [origin] });
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
    expect(await faultsOf({ origin, 'user-agent': iphone })).toEqual([]);
    const client = await new Client('device-of-the-tests', { origin }).open();
    expect((await client.start()).headers.get('access-control-allow-origin')).toBe(origin);
    const preflight = await fetch(`${url}/liveness/${client.sessionId}/start`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  });

  test('a call from an origin that cannot be looked up is refused with 503 and not counted as foreign', async () => {
    await services.keys.updateAccount(account.id, { origins: [shop] });
    const client = await new Client('device-of-the-tests', { origin: shop }).open();
    const failure = new ApiError('SERVICE_UNAVAILABLE', { reason: 'store', retryAfterSeconds: 1 });
    const lookUp = jest.spyOn(services.liveness, 'originsOfAccount').mockRejectedValueOnce(failure);
    expect(codeOf(await client.begin())).toEqual([503, 'SERVICE_UNAVAILABLE', 'store']);
    lookUp.mockRestore();
    expect((await client.begin()).status).toBe(200);
  });

  test('a browser on an allowed page has no faults, and an app neither', async () => {
    await services.keys.updateAccount(account.id, { origins: [shop] });
    expect(await faultsOf({ origin: shop, 'user-agent': browser, ...metadata })).toEqual([]);
    expect(await faultsOf({ 'user-agent': 'okhttp/4.12.0' })).toEqual([]);
  });

  test('programs that pretend to be browsers have faults', async () => {
    await services.keys.updateAccount(account.id, { origins: [shop] });
    expect(await faultsOf({ 'user-agent': browser })).toEqual(['origin']);
    // Node sends a mode, but no destination.
    expect(await faultsOf({ origin: shop, 'user-agent': browser })).toEqual(['fetchMetadata']);
    expect(await faultsOf({ origin: 'null', 'user-agent': 'curl/8.5.0' })).toEqual(['origin', 'browser']);
    expect(await faultsOf({ origin: shop, 'user-agent': 'curl/8.5.0' })).toEqual(['browser']);
    const page = { origin: shop, 'user-agent': browser, ...metadata };
    expect(await faultsOf(page, { ...page, 'sec-ch-ua': '"Chromium";v="99"' })).toEqual(['browser']);
  });
});

describe('abandoned attempts', () => {
  const { attemptsPerSession, attemptStartsPerSession, failedAttempts } = limits.liveness;
  const leftAt = async (client: Client) => (await client.start()).body.data.attemptsLeft;

  test('count from the first turn on, and attemptsLeft says how many may still begin', async () => {
    const client = await new Client().open();
    for (let left = attemptsPerSession; left > 0; left--) {
      expect(await leftAt(client)).toBe(left);
      // An attempt that asked for nothing is free.
      await client.begin();
      expect(await leftAt(client)).toBe(left);
      await client.follow((await client.begin()).body.data, 1);
    }
    expect(await leftAt(client)).toBe(0);
    expect(codeOf(await client.begin())).toEqual([409, 'SESSION_STATE_CONFLICT', 'attempts']);
  });

  test('no session begins more attempts than attemptsLeft says, whether or not they ask for a turn', async () => {
    const client = await new Client().open();
    for (let begun = 0; begun < attemptStartsPerSession; begun++) {
      expect(await leftAt(client)).toBe(Math.min(attemptsPerSession, attemptStartsPerSession - begun));
      expect((await client.begin()).status).toBe(200);
    }
    expect(await leftAt(client)).toBe(0);
    expect(codeOf(await client.begin())).toEqual([409, 'SESSION_STATE_CONFLICT', 'attempts']);
  });

  test('an attempt shows nothing of its turns before the first one', async () => {
    const begun = [];
    for (let session = 0; session < 3; session++) {
      const client = await new Client().open();
      for (let i = 0; i < attemptStartsPerSession; i++) begun.push((await client.begin()).body.data);
    }
    // With three turns, seven of sixteen draws repeat one.
    const shown = begun.map(({ attemptId: _, nonces: __, ...rest }) => JSON.stringify(rest));
    expect(new Set(shown).size).toBe(1);
  });

  test('a retry asks for more turns than the first attempt', async () => {
    const client = await new Client().open();
    const { attempt } = limits.liveness;
    const first = (await client.begin()).body.data;
    expect(first.steps).toBe(1 + attempt.turns);
    await client.follow(first, 1);
    const next = (await client.begin()).body.data;
    expect(next.steps).toBe(1 + attempt.retryTurns);
  });

  test('lock out a user who abandons them, with another device in every session', async () => {
    const user = { metadata: { userId: 'user-4711' } };
    for (let i = 0; i < failedAttempts.limit; i++) {
      const client = await new Client(`device-number-${i}-of-many`).open(user);
      await client.follow((await client.begin()).body.data, 1);
    }
    const client = await new Client('one-more-device-of-many').open(user);
    const locked = await client.begin();
    expect(codeOf(locked)).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'livenessAttempts']);
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(1_700);
    const other = await new Client('a-device-of-another-user').open({ metadata: { userId: 'user-4712' } });
    expect((await other.begin()).status).toBe(200);
  });

  test.each([[''], [' \t'], [{ id: 1 }]])('lock out no user who is called %j', async (userId) => {
    for (let i = 0; i <= failedAttempts.limit; i++) {
      const client = await new Client(`device-number-${i}-of-many`).open({ metadata: { userId } });
      const begun = await client.begin();
      expect(begun.status).toBe(200);
      await client.follow(begun.body.data, 1);
    }
  });

  test('lock out a reference image that comes with new devices', async () => {
    const reference = { imageToCompare: `data:image/jpeg;base64,${jpeg.toString('base64')}` };
    for (let i = 0; i < failedAttempts.limit; i++) {
      const client = await new Client(`device-number-${i}-of-many`).open(reference);
      await client.follow((await client.begin()).body.data, 1);
    }
    const client = await new Client('one-more-device-of-many').open(reference);
    const load = jest.spyOn(redis, 'getBuffer');
    expect(codeOf(await client.begin())).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'livenessAttempts']);
    expect(load).not.toHaveBeenCalled();
    load.mockRestore();
  });

  test('a lockout that outlasts the session leaves no attempts', async () => {
    const device = 'device-that-fails-often';
    const outcomes: { status: string; attemptsLeft: number; lockedUntil?: string }[] = [];
    let client = await new Client(device).open();
    for (let failed = 0; failed < failedAttempts.limit; failed++) {
      if (outcomes.at(-1)?.status === 'failed') client = await new Client(device).open();
      const before = await leftAt(client);
      const { attemptId } = (await client.begin()).body.data;
      const outcome = (await client.complete(attemptId)).body.data;
      if (outcome.lockedUntil === undefined) expect(outcome.attemptsLeft).toBe(before - 1);
      outcomes.push(outcome);
    }
    expect(outcomes.map(({ lockedUntil }) => lockedUntil !== undefined)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(outcomes.at(-1)).toMatchObject({ status: 'started', attemptsLeft: 0 });
    expect(codeOf(await client.begin())).toEqual([429, 'RATE_LIMIT_EXCEEDED', 'livenessAttempts']);
  });
});
