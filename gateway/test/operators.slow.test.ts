/**
 * The operations for operators, on the command line and over HTTP, with a real Redis and the real inference tier.
 *
 * Slow: it starts the command line anew for each of its commands.
 */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import accountEvents from '@presenza/contract/account-events.json';
import errors from '@presenza/contract/errors.json';
import events from '@presenza/contract/events.json';
import limits from '@presenza/contract/limits.json';
import versions from '@presenza/contract/versions.json';
import type { Redis } from 'ioredis';
import pino from 'pino';
import sharp from 'sharp';
import { freePort, LOOPBACK, type RunningServer, startRedis } from '../harness/index.mjs';
import { createAdminApp } from '../src/admin/app';
import { optionOf } from '../src/admin/command-line';
import { largestAdminBody } from '../src/admin/http-input';
import type { AdminServices } from '../src/admin/operation';
import { perform } from '../src/admin/perform';
import { registry } from '../src/admin/registry';
import { runCommandLine, type Terminal } from '../src/admin/run-command-line';
import { adminServices } from '../src/admin/services';
import { Vault } from '../src/crypto/vault';
import { createMetrics } from '../src/observability/metrics';
import type { AuditLog } from '../src/services/audit/audit';
import type { Invoice } from '../src/services/billing/invoices';
import { identityVault } from '../src/services/identity/identity-vault';
import { newUserId } from '../src/services/identity/users';
import { HttpInferenceClient } from '../src/services/inference/inference-client';
import { Admission } from '../src/services/limits/admission';
import { sealedParts } from '../src/services/liveness/liveness';
import { daysOf, shift, startOf } from '../src/services/metering/months';
import { termsOf } from '../src/services/plans/terms';
import { placeOf } from '../src/services/webhooks/endpoints';
import { accountKey } from '../src/stores/account-key';
import { RedisInvoices } from '../src/stores/billing/redis-invoices';
import { RedisMailbox } from '../src/stores/identity/redis-mailbox';
import { RedisUsers } from '../src/stores/identity/redis-users';
import { RedisSessionStore } from '../src/stores/liveness/redis-session-store';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisMeter } from '../src/stores/redis-meter';
import { RedisRequestLog } from '../src/stores/redis-request-log';
import { RedisDeliveryLog } from '../src/stores/webhooks/redis-delivery-log';
import { RedisWebhookStore } from '../src/stores/webhooks/redis-webhook-store';
import { schemas } from './contract';
import { keepOpen, realLiveness, realServices } from './services';
import { sharedTierUrl } from './shared-tier';
import { startReceiver, verified } from './webhooks/receiver';

const secret = '5a'.repeat(32);
const token = 'c3'.repeat(32);
const cli = join(__dirname, '..', 'dist', 'admin', 'cli.js');

let redisServer: RunningServer;
let redis: RedisClient;
let inference: HttpInferenceClient;
let server: Server;
let url: string;
let folder: string;
const log: string[] = [];

beforeAll(async () => {
  redisServer = await startRedis();
  redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  inference = new HttpInferenceClient(sharedTierUrl());
  const app = createAdminApp(registry, {
    admin: adminServices(redis, inference, secret, { allowLoopback: true }),
    token,
    admission: new Admission({ maxRequests: 10, maxBodyBytes: 2 * largestAdminBody }),
    logger: pino({ level: 'info' }, { write: (line: string) => log.push(line) }),
    metrics: createMetrics(),
    draining: () => false,
  });
  server = createServer(keepOpen, app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), 'presenza-operators-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  server.close();
  inference.close();
  redis.disconnect();
  await redisServer.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: each test says what it expects
type Reply = any;
type Input = Record<string, unknown>;
/** @returns the response, or the sentence of a refusal */
type Transport = (id: string, input?: Input, images?: readonly Buffer[]) => Promise<Reply>;

function operationOf(id: string) {
  const operation = registry.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`there is no ${id}`);
  return operation;
}

const textOf = (value: unknown) => {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const operatorEnv = () => ({
  REDIS_URL: redisServer.url,
  INFERENCE_URL: sharedTierUrl(),
  KEY_SECRET: secret,
  WEBHOOK_ALLOWED_ADDRESSES: LOOPBACK,
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process, which saves most of a command's time. */
async function typed(
  args: string[],
  env: Record<string, string> = {},
  { isTTY = false, ...input }: Pick<Terminal, 'stdin'> & { readonly isTTY?: boolean } = {},
): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof written) =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += chunk;
        done();
      },
    });
  const terminal = {
    env: { ...operatorEnv(), ...env },
    ...input,
    stdout: collect('stdout'),
    stderr: Object.assign(collect('stderr'), { isTTY }),
  };
  const code = await runCommandLine(args, terminal);
  return { code, ...written };
}

/** Runs the command line as a process. */
function spawned(args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { env: operatorEnv() }, (error, stdout, stderr) =>
      resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
  });
}

/** The only operation that responds with text. */
const exported = 'usage export';

const byCommand: Transport = async (id, input = {}, images = []) => {
  const options = Object.entries(input).map(([name, value]) => `--${optionOf(name)}=${textOf(value)}`);
  const files = images.map((bytes, i) => {
    const file = join(folder, `${i}.png`);
    writeFileSync(file, bytes);
    return file;
  });
  const { code, stdout, stderr } = await typed([...id.split(' '), ...options, ...files, '--json']);
  if (code === 0) return id === exported || id === 'requests export' ? stdout : JSON.parse(stdout);
  expect([code, stdout]).toEqual([1, '']);
  return stderr.trim();
};

async function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) {
    return { status: response.status, headers: response.headers, body: { data: await response.text() } };
  }
  const reply = (await response.json()) as Reply;
  expect(reply.requestId).toBe(response.headers.get('x-request-id'));
  return { status: response.status, headers: response.headers, body: reply };
}

const overHttp: Transport = async (id, input = {}, images = []) => {
  const { http, images: field } = operationOf(id);
  const [method, template] = http;
  const { ...rest } = input;
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const uris = images.map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) query.set(name, textOf(value));
  const sent = { ...rest, ...(field && { [field]: uris }) };
  const { status, body } =
    method === 'GET'
      ? await request(method, `${path}?${query}`)
      : await request(method, path, Object.keys(sent).length > 0 ? sent : undefined);
  if (status === 200) return body.data;
  expect(schemas.validate('error-response.json', body)).toBe(true);
  return body.error.message;
};

const bands = (period: number) => {
  const side = 120;
  const pixels = Uint8Array.from({ length: 3 * side * side }, (_, i) =>
    Math.floor(((i / 3) % side) / period) % 2 ? 250 : (i % 3) * 60,
  );
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
};

describe.each([
  ['the command line', byCommand, `cli:${userInfo().username}`],
  ['HTTP', overHttp, 'api'],
])('by %s', (_name, transport, actor) => {
  const used = new Set<string>();
  const call: Transport = (id, input, images) => {
    used.add(id);
    return transport(id, input, images);
  };
  let account: string;
  const secrets: string[] = [];

  test('an account is made, shown, changed, suspended and resumed', async () => {
    const made = await call('accounts create', { name: 'Ölmühle & Söhne', plan: 'free' });
    account = made.accountId;
    const apiVersion = versions[0]?.date;
    expect(made).toMatchObject({
      accountId: expect.stringMatching(/^acc_\w{20}$/),
      plan: 'free',
      apiVersion,
    });
    expect(await call('accounts update', { account, apiVersion })).toMatchObject({ apiVersion });
    expect(await call('accounts show', { account })).toMatchObject({
      name: 'Ölmühle & Söhne',
      suspended: false,
      terms: { quota: { livenessDetection: 20 }, concurrency: expect.any(Number) },
    });
    const overrides = { quota: { imageAnalysis: 7 }, concurrency: 3 };
    expect(await call('accounts update', { account, overrides, suspended: true })).toMatchObject({
      overrides,
      suspended: true,
    });
    expect((await call('accounts show', { account })).terms).toMatchObject({
      quota: { imageAnalysis: 7, livenessDetection: 20 },
      concurrency: 3,
    });
    const renamed = { account, name: 'Mill', plan: 'growth', overrides: null, suspended: false };
    const changed = await call('accounts update', renamed);
    expect(changed).toMatchObject({ name: 'Mill', plan: 'growth', suspended: false });
    expect(changed).not.toHaveProperty('overrides');
    expect(await call('accounts update', { account })).toContain('nothing to change');
    const branding = { name: 'Mill', logoUrl: 'https://example.com/logo.svg', colors: { accent: '#0b57d0' } };
    expect(await call('accounts update', { account, branding })).toMatchObject({ branding });
    const faint = { name: 'Mill', colors: { accent: '#ffff00' } };
    expect(await call('accounts update', { account, branding: faint })).toContain('contrast of 1.07 to 1');
    expect(await call('accounts show', { account })).toMatchObject({ branding });
    expect(await call('accounts update', { account, branding: null })).not.toHaveProperty('branding');
    const controller = {
      name: 'Mill Ltd',
      privacyUrl: 'https://example.com/privacy',
      contact: 'dpo@example.com',
    };
    const page = { controller, alternative: { text: 'Visit a branch.' }, returnSchemes: ['myapp'] };
    expect(await call('accounts update', { account, ...page })).toMatchObject(page);
    expect(await call('accounts update', { account, returnSchemes: ['javascript'] })).toContain(
      'is no scheme of an app',
    );
    expect(await call('accounts show', { account })).toMatchObject(page);
    const none = { controller: null, alternative: null, returnSchemes: null };
    expect(Object.keys(await call('accounts update', { account, ...none }))).not.toEqual(
      expect.arrayContaining(Object.keys(none)),
    );
    const livenessPolicy = { level: 'strict', minConfidence: 0.8, devices: ['phone'] };
    expect(await call('accounts update', { account, livenessPolicy })).toMatchObject({ livenessPolicy });
    expect(await call('accounts show', { account })).toMatchObject({ livenessPolicy });
    expect(await call('accounts update', { account, livenessPolicy: null })).not.toHaveProperty(
      'livenessPolicy',
    );
    expect(await call('accounts show', { account: 'acc_none' })).toBe('There is no account acc_none');
  });

  test('accounts are listed by pages, newest first', async () => {
    const made = await call('accounts create', { name: 'Newer', plan: 'basic' });
    const first = await call('accounts list', { limit: 1 });
    expect(first.accounts.map((entry: Reply) => entry.accountId)).toEqual([made.accountId]);
    const second = await call('accounts list', { limit: 1, after: first.next });
    expect(second.accounts.map((entry: Reply) => entry.accountId)).toEqual([account]);
    // The page before has no such account.
    const page = await call('accounts list', { limit: 1, search: account.toUpperCase() });
    expect(page.accounts.map((entry: Reply) => entry.accountId)).toEqual([account]);
    expect((await call('accounts list', { search: made.name.slice(1) })).accounts).toContainEqual(made);
    expect(await call('accounts list', { search: 'no such account' })).toEqual({ accounts: [] });
  });

  test('a search for a text with @ that is no email address looks at the names', async () => {
    const made = await call('accounts create', { name: 'Shop @ Berlin', plan: 'free' });
    for (const search of ['shop @', '@ berlin']) {
      expect((await call('accounts list', { search })).accounts).toContainEqual(made);
    }
    expect(await call('accounts list', { search: 'jane@' })).toEqual({ accounts: [] });
  });

  test('incidents are written, updated, listed and deleted, and recorded with their texts', async () => {
    const text = 'Sessions respond with 503.\nWe are looking into it.';
    const about = { title: 'Sessions fail & retry', components: ['liveness', 'api'], impact: 'outage' };
    const made = await call('incidents create', { ...about, text });
    expect(made).toMatchObject({ ...about, planned: false, status: 'investigating', updates: [{ text }] });
    const { incidentId: incident } = made;
    const ended = await call('incidents update', { incident, text: 'Fixed.', status: 'resolved' });
    expect(ended).toMatchObject({ status: 'resolved', endsAt: ended.updates[0].at });
    const [from, until] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const planned = await call('incidents schedule', { ...about, text, from, until });
    expect(planned).toMatchObject({ planned: true, status: 'scheduled', startsAt: from, endsAt: until });
    expect(await call('incidents list')).toEqual({ incidents: [planned, ended] });
    expect(await call('incidents create', { ...about, text, from })).toContain('begins in the past');
    const nobody = `inc_${'0'.repeat(22)}`;
    expect(await call('incidents update', { incident: nobody, text })).toContain('no incident with this id');
    for (const { incidentId } of [made, planned]) {
      expect(await call('incidents delete', { incident: incidentId })).toEqual({ deleted: incidentId });
    }
    expect(await call('incidents list')).toEqual({ incidents: [] });
    const { entries } = await call('audit list', { limit: 20 });
    const entryOf = (operation: string) =>
      entries.find((entry: Reply) => entry.operation === operation && entry.outcome === 'done');
    expect(entryOf('incidents update')).toMatchObject({
      actor,
      ids: { incident },
      changes: { text: 'Fixed.' },
    });
    const { incidentId } = planned;
    expect(entryOf('incidents schedule')).toMatchObject({
      ids: { incidentId },
      changes: { text, from, until },
    });
  });

  test('the plans are listed', async () => {
    const plans = await call('plans list');
    expect(plans.map((entry: Reply) => entry.plan)).toEqual([
      'free',
      'basic',
      'growth',
      'business',
      'enterprise',
    ]);
  });

  test('keys are made, listed without the keys, rolled and revoked', async () => {
    const plain = await call('keys create', { account, mode: 'live' });
    expect(plain.apiKey).toMatch(/^presenza_live_/);
    const scope = { name: 'CI', products: ['faceDetection'], cidrs: ['192.0.2.0/24', '::1'] };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const scoped = await call('keys create', { account, mode: 'test', ...scope, expiresAt });
    expect(scoped.apiKey).toMatch(/^presenza_test_/);
    const rolled = await call('keys roll', { account, key: plain.keyId, graceSeconds: 60 });
    expect(Date.parse(rolled.oldKeyExpiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
    secrets.push(plain.apiKey, scoped.apiKey, rolled.apiKey);
    expect(await call('keys revoke', { account, key: scoped.keyId })).toHaveProperty('revokedAt');

    const listed = await call('keys list', { account });
    const by = (id: string) => listed.find(({ keyId }: Reply) => keyId === id);
    expect(listed).toHaveLength(3);
    expect(by(plain.keyId)).toMatchObject({ state: 'active', rolledTo: rolled.keyId });
    expect(by(scoped.keyId)).toMatchObject({ state: 'revoked', mode: 'test', expiresAt, ...scope });
    expect(by(rolled.keyId)).toMatchObject({ state: 'active', mode: 'live' });
    for (const word of ['hash', ...secrets]) expect(JSON.stringify(listed)).not.toContain(word);

    const past = await call('keys create', { account, mode: 'live', expiresAt: '2020-01-01T00:00:00Z' });
    expect(past).toBe('A key must expire in the future');
    expect(await call('keys create', { account, mode: 'live', cidrs: ['localhost'] })).toContain(
      '"localhost" is no address',
    );
    expect(await call('keys revoke', { account, key: 'key_none' })).toContain('has no key key_none');
  });

  test('webhook endpoints are made, listed, changed, given a new secret and removed', async () => {
    const target = 'https://example.com/hook?token=hidden';
    const made = await call('webhooks create', { account, url: target });
    expect(made).toMatchObject({ type: 'async', mode: 'both', url: target });
    expect(made.events).toContain('session.completed');
    expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const webhook = made.webhookId;
    const asked = { type: 'sync', events: ['session.failed'], mode: 'test' };
    expect(await call('webhooks update', { account, webhook, ...asked })).toContain('--on-failure');
    const settings = { ...asked, onFailure: 'continue' };
    expect(await call('webhooks update', { account, webhook, ...settings })).toMatchObject(settings);
    const rolled = await call('webhooks roll-secret', { account, webhook, graceSeconds: 60 });
    expect(rolled.secret).not.toBe(made.secret);
    expect(rolled.earlierSecretsSignUntil).toHaveLength(1);
    expect(Date.parse(rolled.earlierSecretsSignUntil[0]) - Date.now()).toBeLessThanOrEqual(60_000);
    secrets.push(made.secret, rolled.secret);

    const [kept] = await new RedisWebhookStore(redis).listEndpoints(account);
    const vault = new Vault(secret, 'presenza webhook secrets');
    expect(vault.open(kept?.secret as string, placeOf(account, webhook))).toBe(rolled.secret);
    const listed = await call('webhooks list', { account });
    expect(listed).toEqual([
      expect.objectContaining({ webhookId: webhook, type: 'sync', onFailure: 'continue' }),
    ]);
    for (const word of ['secret', made.secret, rolled.secret])
      expect(JSON.stringify(listed)).not.toContain(`"${word}"`);
    expect(await call('webhooks disable', { account, webhook })).toMatchObject({
      disabledBecause: 'operator',
    });
    expect(await call('webhooks enable', { account, webhook })).not.toHaveProperty('disabledBecause');
    expect(await call('webhooks enable', { account, webhook: 'wh_none' })).toContain('no webhook endpoint');

    for (const wrong of ['http://example.com', 'https://u:p@example.com', 'ftp://localhost', 'https://a/#b'])
      expect(await call('webhooks create', { account, url: wrong })).toContain('must be an https URL');
    const inside = { account, url: 'https://169.254.169.254/hook' };
    const refusal = 'Events cannot be delivered to 169.254.169.254: it is not a public address.';
    expect(await call('webhooks create', inside)).toContain(refusal);
    expect(await call('webhooks update', { ...inside, webhook })).toContain(refusal);
    expect(await call('webhooks list', { account })).toMatchObject([{ webhookId: webhook, url: target }]);
    const basic = (await call('accounts create', { name: 'Basic', plan: 'basic' })).accountId;
    const sync = { account: basic, url: 'http://localhost:3000/', type: 'sync' };
    expect(await call('webhooks create', sync)).toBe('The plan basic does not include synchronous webhooks');
    expect(await call('webhooks delete', { account, webhook })).toEqual({ deleted: webhook });
    expect(await call('webhooks delete', { account, webhook })).toContain('has no webhook endpoint');
  });

  test('deliveries are listed and replayed, and an endpoint is tried', async () => {
    const receiver = await startReceiver();
    const made = await call('webhooks create', { account, url: receiver.url });
    const { webhookId: webhook } = made;
    secrets.push(made.secret);
    expect(await call('webhooks test', { account, webhook })).toMatchObject({ delivered: true, status: 200 });
    const all = [...events, ...accountEvents].map(({ id }) => id);
    for (const eventType of all) {
      expect(await call('webhooks test', { account, webhook, eventType })).toMatchObject({ delivered: true });
    }
    const samples = receiver.all.map((delivery) => verified(delivery, made.secret));
    expect(samples.map(({ eventType }) => eventType)).toEqual(['session.completed', ...all]);
    for (const sample of samples) {
      expect(sample).toMatchObject({ livemode: false, metadata: { test: true } });
      expect(schemas.validate('webhook-event.json', sample)).toBe('sessionId' in sample);
    }
    await receiver.close();

    const log = new RedisDeliveryLog(redis);
    const record = (eventId: string, state: 'dead' | 'delivered') => ({
      id: `${eventId}-${webhook}`,
      eventId,
      webhookId: webhook,
      sessionId: 'ses_1',
      state,
      attempts: 10,
      timestamp: Date.parse('2026-01-15T10:30:00Z'),
      status: 500,
      mode: 'live' as const,
      eventType: 'session.failed' as const,
    });
    const [dead, delivered] = [record('evt_dead', 'dead'), record('evt_delivered', 'delivered')];
    await log.write(account, dead);
    await log.write(account, delivered);
    const { deliveries } = await call('webhooks deliveries', { account });
    const idsOf = (list: Reply[]) => list.map(({ deliveryId }) => deliveryId).sort();
    expect(idsOf(deliveries)).toEqual([dead.id, delivered.id]);
    for (const [filter, id] of [
      [{ state: 'dead' }, dead.id],
      [{ state: 'delivered' }, delivered.id],
      [{ event: 'evt_dead' }, dead.id],
    ] as const) {
      expect(idsOf((await call('webhooks deliveries', { account, ...filter })).deliveries)).toEqual([id]);
    }
    expect(await call('webhooks delivery', { account, delivery: dead.id })).toMatchObject({
      deliveryId: dead.id,
      state: 'dead',
      history: [],
      request: {
        headers: { 'Content-Type': 'application/json', 'webhook-id': 'evt_dead' },
        payload: { eventType: 'session.failed', sessionId: 'ses_1', timestamp: '2026-01-15T10:30:00.000Z' },
      },
    });
    expect(await call('webhooks delivery', { account, delivery: 'evt_x-wh_x' })).toContain('no delivery');
    const letters = await call('webhooks dead-letters', { account, webhook });
    expect(letters.deliveries).toEqual([
      {
        deliveryId: dead.id,
        webhookId: webhook,
        eventId: 'evt_dead',
        sessionId: 'ses_1',
        eventType: 'session.failed',
        livemode: true,
        timestamp: '2026-01-15T10:30:00.000Z',
        state: 'dead',
        attempts: 10,
        status: 500,
      },
    ]);
    expect(await call('webhooks replay', { account, since: '2026-01-01T00:00:00Z' })).toEqual({
      replayed: 1,
    });
    expect(await call('webhooks replay', { account, since: '2026-01-01T00:00:00Z' })).toEqual({
      replayed: 0,
    });
    expect(await call('webhooks replay', { account, event: 'evt_delivered' })).toEqual({ replayed: 1 });
    expect(await call('webhooks replay', { account, delivery: delivered.id })).toEqual({ replayed: 1 });
    expect(await redis.xlen(`presenza:{${account}}:outbox`)).toBe(3);
    await redis.del(`presenza:{${account}}:outbox`);
    expect(await call('webhooks replay', { account })).toBe('Give one of delivery, event and since');
    expect(await call('webhooks replay', { account, delivery: 'none' })).toContain('has no delivery none');
    await call('webhooks delete', { account, webhook });
  });

  test('a category is made from images, listed and removed', async () => {
    const images = await Promise.all([8, 9, 10, 11, 13].map(bands));
    const name = 'Bands / stripes';
    const made = await call('categories create', { account, name }, images);
    expect(made).toEqual({ name, examples: 5, doubtful: [] });
    expect(await call('categories list', { account })).toEqual([expect.objectContaining({ name })]);
    expect(await call('categories create', { account, name: 'Few' }, images.slice(1))).toContain('not 4');
    expect(await call('categories delete', { account, name })).toEqual({ deleted: name });
  });

  test('usage is shown, its ledger written out, and the two add up', async () => {
    const month = new Date().toISOString().slice(0, 7);
    const terms = termsOf('growth');
    const principal = { accountId: account, keyId: 'key_1', mode: 'live', plan: 'growth', terms } as const;
    const item = { index: 0, product: 'faceDetection', group: 'imageAnalysis' } as const;
    const meter = new RedisMeter(redis);
    for (const admissionId of ['a', 'b', 'c']) {
      const admission = { admissionId, operations: 1, items: [item], leaseMs: 60_000 };
      await meter.admit(principal, admission, [{ ...item, mode: 'live', month, day: 1, keyId: 'key_1' }]);
      const [commits, refunds] = admissionId === 'c' ? [[], [0]] : [[0], []];
      await meter.settle({
        accountId: account,
        mode: 'live',
        admissionId,
        operations: 1,
        commits,
        refunds,
        ends: true,
      });
    }
    const shown = await call('usage show', { account });
    expect(shown).toMatchObject({
      plan: 'growth',
      productGroups: { imageAnalysis: { used: 2, reserved: 0 } },
    });
    const days = [2, ...Array(daysOf(month) - 1).fill(0)];
    expect(shown.products[0]).toEqual({
      product: 'faceDetection',
      group: 'imageAnalysis',
      used: 2,
      daily: days,
    });
    const none = { faceComparison: 0, livenessVerification: 0, imageModeration: 0 };
    expect(await call('usage verify', { account, month })).toEqual({
      month,
      mode: 'live',
      matches: true,
      counters: { livenessDetection: 0, imageAnalysis: 2 },
      ledger: { livenessDetection: 0, imageAnalysis: 2 },
      products: { counters: { ...none, faceDetection: 2 }, ledger: { ...none, faceDetection: 2 } },
    });
    const lines: string[] = (await call(exported, { account })).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { kind: 'commit', operation: 'a:0', product: 'faceDetection', keyId: 'key_1', month, day: 1 },
      { kind: 'commit', operation: 'b:0' },
      { kind: 'refund', operation: 'c:0' },
    ]);
    const [head, first] = (await call(exported, { account, format: 'csv' })).split('\n');
    expect(head).toBe('time,kind,operation,product,group,mode,keyId,month,day');
    expect(first).toMatch(
      new RegExp(`^\\d{4}-.*Z,commit,a:0,faceDetection,imageAnalysis,live,key_1,${month},1$`),
    );
    expect(await call('usage show', { account: 'acc_none' })).toContain('no account');
  });

  test('a ledger is trimmed to make room: its months are refused from then on, and bills stay', async () => {
    const { accountId } = await call('accounts create', { name: 'Trimmed', plan: 'growth' });
    const ledger = `presenza:{${accountId}}:ledger`;
    const current = new Date().toISOString().slice(0, 7);
    const [past, last] = [shift(current, -3), shift(current, -1)];
    const fields = ['kind', 'commit', 'item', 'a:0', 'mode', 'live', 'day', '15', 'key', 'key_1'];
    const entry = [...fields, 'group', 'imageAnalysis', 'product', 'faceDetection'];
    for (const month of [past, last]) {
      // More than a block of the stream, which alone is removed whole.
      for (let i = 0; i < 150; i++)
        await redis.xadd(ledger, `${startOf(month) + 14 * 86_400_000 + i}-0`, ...entry, 'month', month);
      for (const counter of ['imageAnalysis:used', 'product:faceDetection'])
        await redis.hset(accountKey(accountId, 'usage'), `live:${month}:${counter}`, 150);
    }
    expect(await call('usage verify', { account: accountId, month: past })).toMatchObject({ matches: true });
    expect(await call('usage trim', { account: accountId, before: shift(current, 1) })).toContain(
      'is still written',
    );
    expect(await call('usage trim', { account: accountId, before: last })).toEqual({
      before: last,
      removed: 150,
    });
    // An earlier month named later takes nothing back.
    expect(await call('usage trim', { account: accountId, before: past })).toEqual({
      before: past,
      removed: 0,
    });
    for (const id of ['usage verify', exported])
      expect(await call(id, { account: accountId, month: past })).toContain(`it begins with ${last}`);
    expect(await call('usage verify', { account: accountId, month: last })).toMatchObject({ matches: true });
    expect(await call('usage show', { account: accountId, month: past })).toMatchObject({
      productGroups: { imageAnalysis: { used: 150 } },
    });
    expect(await call('usage trim', { account, before: past })).toEqual({ before: past, removed: 0 });
  });

  test('invoices are listed and shown', async () => {
    const { accountId } = await call('accounts create', { name: 'Paying', plan: 'basic' });
    const month = shift(new Date().toISOString().slice(0, 7), -1);
    expect(await call('invoices list', { account: accountId })).toEqual({ invoices: [] });
    expect(await call('invoices show', { account: accountId, month })).toContain(`no invoice of ${month}`);
    const shown = { number: `${month}-000001`, month, total: 9, currency: 'USD', status: 'due' } as const;
    const invoice = { ...shown, lines: [] } as unknown as Invoice;
    await new RedisInvoices(redis).add(accountId, invoice);
    expect(await call('invoices list', { account: accountId })).toEqual({ invoices: [shown] });
    expect(await call('invoices show', { account: accountId, month })).toEqual(invoice);
  });

  test('a ledger that cannot be read is reported as an error, in either format', async () => {
    const { accountId } = await call('accounts create', { name: 'Broken', plan: 'free' });
    await redis.set(`presenza:{${accountId}}:ledger`, 'no stream');
    for (const format of ['csv', 'ndjson'])
      expect(await call(exported, { account: accountId, format })).toContain(
        errors.SERVICE_UNAVAILABLE.reasons.store,
      );
  });

  test('sessions are listed, shown, explained and cancelled, without personal data', async () => {
    const { metering } = realServices(redis, inference);
    const { liveness } = realLiveness(redis, inference);
    const terms = termsOf('growth');
    const principal = { accountId: account, keyId: 'key_1', mode: 'live', plan: 'growth', terms } as const;
    const items = [{ index: 0, product: 'livenessVerification', group: 'livenessDetection' }] as const;
    const details = { metadata: { userId: 'of nobody’s business' } };
    const create = async (): Promise<string> => {
      const { admissionId } = await metering.admit(
        principal,
        { operations: 1, items, leaseMs: 9_000 },
        () => {},
      );
      return (await liveness.creation.create(principal, { details }, { admissionId } as never)).data
        .sessionId;
    };
    const sessionId = await create();
    const named = { account, session: sessionId };
    const list = (wanted: object) => call('sessions list', { account, ...wanted });
    expect(await list({ mode: 'live' })).toEqual({
      sessions: [expect.objectContaining({ sessionId, status: 'created', keyId: 'key_1', begunAttempts: 0 })],
    });
    expect(await list({ status: 'started' })).toEqual({ sessions: [] });
    expect(await list({ mode: 'test' })).toEqual({ sessions: [] });
    const another = await create();
    const { next, sessions: newest } = await list({ limit: 1 });
    expect(newest).toMatchObject([{ sessionId: another }]);
    expect(await list({ limit: 1, after: next })).toMatchObject({ sessions: [{ sessionId }] });
    expect(await call('sessions erase', { account, session: another })).toEqual({
      sessionId: another,
      erased: true,
    });
    const shown = await call('sessions show', named);
    expect(shown).toMatchObject({ sessionId, status: 'created', hasReference: false });
    expect(JSON.stringify(shown)).not.toContain('business');

    const store = new RedisSessionStore(redis);
    const address = { accountId: account, sessionId };
    await store.start(address, 'evt_1');
    await store.clearUndecided(address);
    await store.beginAttempt(address, {
      attemptId: 'att_1',
      device: 'hash',
      notice: 'app-7',
      maxBegun: 9,
      fields: { id: 'att_1' },
    });
    expect(await call('sessions show', named)).toMatchObject({
      consentAt: expect.stringMatching(/^\d{4}-.*Z$/),
      consentNotice: 'app-7',
    });
    await store.beginCheck(address, { attemptId: 'att_1', checker: 'chk_1', leaseMs: 9_000 });
    const verdict = { scores: { planarity: 0.2 }, reasons: ['flat'] };
    const entry = {
      attemptId: 'att_1',
      at: Date.UTC(2026, 0, 15),
      passed: false,
      failureReason: 'movement' as const,
      verdict,
    };
    const session = await liveness.sessions.find(address);
    const explanation = sealedParts(secret).sealExplanation(session, [entry]);
    await store.retry({ ...address, attemptId: 'att_1', explanation });
    const explained = await call('sessions explain', named);
    expect(explained).toMatchObject({ status: 'started', failedAttempts: 1, policy: { level: 'standard' } });
    expect(explained.attempts).toEqual([{ ...entry, at: '2026-01-15T00:00:00.000Z' }]);

    expect(await call('sessions audit-image', named)).toContain(errors.NOT_FOUND.reasons.auditImage);
    expect(await call('sessions cancel', named)).toMatchObject({ sessionId, status: 'cancelled' });
    const { timeline } = await call('sessions show', named);
    const attempt = { at: '2026-01-15T00:00:00.000Z', event: 'attempt', attempt: 'att_1', outcome: 'failed' };
    expect(timeline[0]).toEqual({ ...attempt, reason: 'movement' });
    expect(timeline.slice(1).map(({ event }: Reply) => event)).toEqual([
      'session.created',
      'session.started',
      'consent',
      'session.cancelled',
    ]);
    expect(await call('sessions erase', named)).toEqual({ sessionId, erased: true });
    expect(await call('sessions show', named)).toContain(errors.NOT_FOUND.reasons.session);
    const gone = { account, session: `ses_${'0'.repeat(24)}` };
    expect(await call('sessions show', gone)).toContain(errors.NOT_FOUND.reasons.session);
  });

  test('mails of the console are listed, newest first, and the audit log has the look at them', async () => {
    const mailbox = new RedisMailbox(redis, identityVault(secret), secret);
    const mail = (subject: string, at: number) => ({ to: 'a@example.com', subject, text: 'A link', at });
    await mailbox.keep(mail('first', 0));
    await mailbox.keep(mail('second', 1));
    const { at, ...second } = mail('second', 1);
    expect(await call('mails list', { limit: 1 })).toEqual({
      mails: [{ ...second, at: new Date(at).toISOString() }],
    });
    // Two more than before, by each of the two ways.
    const state = { count: expect.any(Number), newestAt: new Date(at).toISOString() };
    expect(await call('mails count')).toEqual(state);
    const { entries } = await call('audit list', { limit: 1 });
    expect(entries).toMatchObject([{ actor, operation: 'mails list', outcome: 'done' }]);
  });

  test('people become operators of the console by their email address, which the audit log omits', async () => {
    const users = new RedisUsers(redis, identityVault(secret), secret);
    const email = `operator-${account}@example.com`.toLowerCase();
    const user = { id: newUserId(), email, createdAt: 0, epoch: 0, passkeys: [] };
    await users.add(user);
    const view = { userId: user.id, email };
    expect(await call('operators add', { email })).toMatch('Operators need a passkey');
    const passkey = { id: 'a', publicKey: 'b', counter: 0, name: 'Passkey', addedAt: 0 };
    await users.update(user.id, (current) => ({ ...current, passkeys: [passkey] }));
    expect(await call('operators add', { email: email.toUpperCase() })).toEqual(view);
    expect(await call('operators list')).toEqual({ operators: [view] });
    expect(await call('operators remove', { email })).toEqual(view);
    expect(await call('operators list')).toEqual({ operators: [] });
    expect(await call('operators add', { email: 'nobody@example.com' })).toMatch('Nobody has signed up');
    expect(await call('people sign-out', { email })).toEqual(view);
    expect(await call('people reset-factors', { email })).toEqual(view);
    const { entries } = await call('audit list', { limit: 10 });
    expect(entries.slice(4)).toMatchObject([
      { operation: 'operators add', outcome: 'NOT_FOUND' },
      { operation: 'operators add', outcome: 'begun' },
      { operation: 'operators remove', outcome: 'done', ids: { userId: user.id } },
      { operation: 'operators remove', outcome: 'begun' },
      { operation: 'operators add', outcome: 'done', ids: { userId: user.id } },
      { operation: 'operators add', outcome: 'begun' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('example.com');
  });

  test('requests of an account are listed, newest first, by id, key and outcome', async () => {
    const log = new RedisRequestLog(redis, 100);
    const about = { at: 0, keyId: 'key_1', mode: 'live', method: 'GET', path: '/usage', ms: 3 } as const;
    const failed = { ...about, requestId: 'req_2', status: 400, code: 'INVALID_PARAMETERS' } as const;
    await log.append(account, [{ ...about, requestId: 'req_1', status: 200 }, failed]);
    const { requests, next } = await call('requests list', { account, limit: 1 });
    const stored = { entryId: expect.any(String), stages: {}, at: '1970-01-01T00:00:00.000Z' };
    expect(requests).toEqual([{ ...failed, ...stored }]);
    const rest = await call('requests list', { account, after: next });
    expect(rest).toMatchObject({ requests: [{ requestId: 'req_1' }] });
    for (const filter of [{ requestId: 'req_2' }, { failed: true }, { key: 'key_1', failed: true }])
      expect((await call('requests list', { account, ...filter })).requests).toEqual(requests);
    expect(await call('requests list', { account: 'acc_0' })).toMatch('acc_0');
    const [{ entryId: request }] = requests;
    expect(await call('requests show', { account, request })).toEqual(requests[0]);
    expect(await call('requests show', { account, request: '1-0' })).toContain('1-0');
    const { hours } = await call('requests count', { account });
    expect(hours).toContainEqual(expect.objectContaining({ succeeded: 1, refused: 1, failed: 0 }));
    expect(await call('requests export', { account, path: '/usage' })).toContain('req_2');
  });

  test('the audit log records every change and every look at a person’s data, without secrets', async () => {
    const { entries, next } = await call('audit list', { account, limit: 200 });
    expect(next).toBeUndefined();
    expect(new Set(entries.map((entry: Reply) => entry.actor))).toEqual(new Set([actor]));
    expect(new Set(entries.map((entry: Reply) => entry.accountId))).toEqual(new Set([account]));
    const ended = entries.filter(({ outcome }: Reply) => outcome !== 'begun');
    const entriesOf = (id: string) => ended.filter(({ operation }: Reply) => operation === id);
    const looks = registry.filter(({ discloses }) => discloses).flatMap(({ id }) => entriesOf(id));
    // The id of a new account is not known before, and a look is recorded once.
    const once = entriesOf('accounts create').length + looks.length;
    expect(entries.length - ended.length).toBe(ended.length - once);
    expect(entriesOf('accounts create')).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        actor,
        operation: 'accounts create',
        outcome: 'done',
        accountId: account,
        changes: { name: 'not recorded', plan: 'free' },
      },
    ]);
    expect(entriesOf('keys roll')).toMatchObject([
      { ids: { keyId: expect.any(String), key: expect.any(String) } },
    ]);
    expect(entriesOf('keys revoke').map(({ outcome }: Reply) => outcome)).toEqual(['NOT_FOUND', 'done']);
    expect(entriesOf('webhooks create').at(-1)).toMatchObject({ changes: { url: 'not recorded' } });
    const changing = registry
      // Incidents, mails, operators and people concern no account.
      .filter(
        ({ id, ...entry }) =>
          (entry.changes || entry.discloses) && !/^(incidents|mails|operators|people) /.test(id),
      )
      .map(({ id }) => id);
    expect(new Set(entries.map(({ operation }: Reply) => operation))).toEqual(new Set(changing));
    const page = await call('audit list', { account, limit: 2 });
    const rest = await call('audit list', { account, limit: 200, after: page.next });
    expect([...page.entries, ...rest.entries]).toEqual(entries);
    expect(secrets).toHaveLength(6);
    for (const text of [...secrets, 'token=hidden', 'data:image'])
      expect(JSON.stringify(entries)).not.toContain(text);
  });

  test('every operation was reached', () => {
    expect(used).toEqual(new Set(registry.map(({ id }) => id)));
  });
});

test('without the Redis of the session keys, only commands about sessions fail', async () => {
  const env = { REDIS_SESSION_KEYS_URL: `redis://127.0.0.1:${await freePort()}` };
  const made = await typed(['accounts', 'create', '--name', 'Keys', '--plan', 'free', '--json'], env);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const account = JSON.parse(made.stdout).accountId;
  const session = `ses_${'0'.repeat(24)}`;
  const shown = await typed(['sessions', 'show', '--account', account, '--session', session], env);
  expect(shown).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('REDIS_SESSION_KEYS_URL'),
  });
});

test('a key without a mode is an error for scripts, and a question at a terminal', async () => {
  const { id } = await adminServices(redis, inference, secret).keys.createAccount('Terminal', 'free');
  const command = ['keys', 'create', '--account', id, '--json'];
  const needed = '"keys create" needs --mode\n';
  expect(await spawned(command)).toEqual({ code: 2, stdout: '', stderr: needed });
  const atTerminal = (lines: string) =>
    typed(command, {}, { stdin: Object.assign(Readable.from([lines]), { isTTY: true }), isTTY: true });
  const made = await atTerminal('production\nlive\n');
  expect(made).toMatchObject({ code: 0, stderr: 'mode (live or test): mode (live or test): ' });
  expect(JSON.parse(made.stdout).apiKey).toMatch(/^presenza_live_/);
  expect(await atTerminal('')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(needed),
  });
  // The command line asks only for options with few values.
  const more = { stdin: Object.assign(Readable.from(['live\n']), { isTTY: true }), isTTY: true };
  expect(await typed(['keys', 'create'], {}, more)).toMatchObject({
    code: 2,
    stderr: '"keys create" needs --account and --mode\n',
  });
});

test('scripts get what they parse, and people get lines', async () => {
  const json = await spawned(['accounts', 'create', '--name', 'Script', '--plan', 'free', '--json']);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  const { accountId } = JSON.parse(json.stdout);
  const key = await typed(['keys', 'create', '--account', accountId, '--mode', 'test', '--json']);
  expect(JSON.parse(key.stdout).apiKey).toMatch(/^presenza_test_/);
  const text = await spawned(['accounts', 'show', '--account', accountId]);
  expect(text.stdout).toContain(`accountId: ${accountId}\nname: Script\nplan: free\n`);
  const list = await typed(['accounts', 'list', '--limit', '2']);
  expect(list.stdout.match(/^accountId: /gm)).toHaveLength(2);
});

test('a ledger mismatch sets the exit code', async () => {
  const { accountId } = await overHttp('accounts create', { name: 'Books', plan: 'free' });
  const verify = () => spawned(['usage', 'verify', '--account', accountId, '--json']);
  expect((await verify()).code).toBe(0);
  const month = new Date().toISOString().slice(0, 7);
  const counters = accountKey(accountId, 'usage');
  for (const name of ['imageAnalysis:used', 'product:faceDetection', 'product:faceDetection:day:1']) {
    await redis.hincrby(counters, `live:${month}:${name}`, 5);
    const { code, stdout } = await verify();
    expect({ name, code, matches: JSON.parse(stdout).matches }).toEqual({ name, code: 1, matches: false });
    await redis.del(counters);
  }
});

test('a category’s examples are bounded together', async () => {
  const { accountId: account } = await overHttp('accounts create', { name: 'Large', plan: 'free' });
  const count = 14;
  expect(count * limits.image.maxBytes).toBeGreaterThan(limits.customCategories.maxExamplesBytes);
  const image = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    Buffer.alloc(limits.image.maxBytes - 8),
  ]);
  const images = Array.from({ length: count }, () => image);
  expect(await byCommand('categories create', { account, name: 'Large' }, images)).toBe(
    'The examples have 70 MB together, and 64 MB is the most they may have',
  );
});

describe('the admin API', () => {
  const refusal = async (...args: Parameters<typeof request>) => {
    const { status, headers, body } = await request(...args);
    expect(schemas.validate('error-response.json', body)).toBe(true);
    expect(status).toBe(errors[body.error.code as keyof typeof errors].status);
    return { ...body.error, headers };
  };

  test.each([
    ['no token', { authorization: '' }],
    ['a wrong one', { authorization: `Bearer ${'c4'.repeat(32)}` }],
    ['part of it', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['another scheme', { authorization: `Basic ${token}` }],
  ])('refuses %s, at any path', async (_name, headers) => {
    for (const path of ['/accounts', '/nowhere'])
      expect(await refusal('GET', path, undefined, headers)).toMatchObject({ code: 'INVALID_API_KEY' });
  });

  test('the admin API responds in the envelope of the public API', async () => {
    expect(await refusal('GET', '/nowhere')).toMatchObject({ code: 'NOT_FOUND', reason: 'operation' });
    const wrongMethod = await refusal('DELETE', '/accounts');
    expect(wrongMethod.code).toBe('METHOD_NOT_ALLOWED');
    expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(await refusal('GET', '/accounts/acc_none')).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusal('POST', '/accounts', '{')).toMatchObject({ reason: 'json' });
    expect(await refusal('POST', '/accounts', '[]')).toMatchObject({ reason: 'body' });
    expect(await refusal('POST', '/accounts')).toMatchObject({ reason: 'missing' });
    expect(await refusal('POST', '/accounts', { name: 'a', plan: 'free', id: 1 })).toMatchObject({
      reason: 'unknown',
    });
    expect(await refusal('PATCH', '/accounts/acc_1', { account: 'acc_2' })).toMatchObject({
      reason: 'unknown',
    });
    expect(await refusal('GET', '/accounts?limit=1&limit=2')).toMatchObject({ reason: 'type' });
    expect(await refusal('GET', '/accounts?__proto__=1')).toMatchObject({ reason: 'unknown' });
    expect(await refusal('POST', '/accounts', { name: 'x'.repeat(65_536), plan: 'free' })).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    const examples = ['data:text/plain;base64,aGVsbG8='];
    expect(await refusal('POST', '/accounts/acc_1/categories', { name: 'a', examples })).toMatchObject({
      code: 'INVALID_IMAGE',
      param: 'examples.0',
    });
  });

  test('has no CORS', async () => {
    const { headers } = await request('GET', '/plans', undefined, { origin: 'https://example.com' });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('the audit log records the name in X-Admin-Actor', async () => {
    const name = { 'x-admin-actor': 'mia@example.com' };
    const { body } = await request('POST', '/accounts', { name: 'Actor', plan: 'free' }, name);
    const { entries } = await overHttp('audit list', { account: body.data.accountId });
    expect(entries).toMatchObject([{ actor: 'api:mia@example.com' }]);
    const wrong = { 'x-admin-actor': 'two words' };
    expect(await refusal('POST', '/accounts', { name: 'Actor', plan: 'free' }, wrong)).toMatchObject({
      reason: 'header',
    });
  });

  test('logs operations, and neither the token nor what was made', async () => {
    const { body } = await request('POST', '/accounts', { name: 'Logged', plan: 'free' });
    await request('POST', `/accounts/${body.data.accountId}/keys`, { mode: 'live' });
    expect(log.at(-1)).toContain('"operation":"admin keys create"');
    expect(log.join('')).not.toMatch(new RegExp(`${token}|presenza_(live|test)_|whsec_`));
  });
});

test('a closed pipe ends an export silently', async () => {
  const { id } = await adminServices(redis, inference, secret).keys.createAccount('Long', 'free');
  const month = new Date().toISOString().slice(0, 7);
  const fields = [
    'kind',
    'commit',
    'item',
    'a:0',
    'product',
    'p',
    'group',
    'g',
    'mode',
    'live',
    'keyId',
    'k',
  ];
  const entries = redis.pipeline();
  for (let i = 0; i < 5_000; i++)
    entries.xadd(`presenza:{${id}}:ledger`, '*', ...fields, 'month', month, 'day', '1');
  await entries.exec();
  const env = { ...process.env, REDIS_URL: redisServer.url, KEY_SECRET: secret };
  const pipe = `"${process.execPath}" "${cli}" usage export --account ${id} | head -n 1`;
  const { stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', pipe], { env, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({ kind: 'commit', month });
  expect(stderr).toBe('');
});

describe('when a change cannot be recorded', () => {
  const auditThatTakes = (most: number) => {
    const services = adminServices(redis, inference, secret);
    const taken: string[] = [];
    const record = async ({ outcome }: { outcome: string }) => {
      if (taken.length === most) throw new Error('full');
      taken.push(outcome);
    };
    return { ...services, audit: { ...services.audit, record } as AuditLog };
  };
  const create = (services: AdminServices, account: string) =>
    perform(operationOf('keys create'), services, { account, mode: 'live' }, asked);
  const asked = { requestId: 'r', actor: 'test', party: 'operator' as const, images: [] };

  test('without a record of its start nothing changes; without a record of its end, a key is still shown', async () => {
    const { keys } = adminServices(redis, inference, secret);
    const { id } = await keys.createAccount('Unrecorded', 'free');
    await expect(create(auditThatTakes(0), id)).rejects.toThrow('full');
    expect(await keys.listKeys(id)).toEqual([]);
    expect(await create(auditThatTakes(1), id)).toMatchObject({ apiKey: expect.any(String) });
  });
});

test('an operator sees the error of Redis', async () => {
  const args = ['accounts', 'create', '--name', 'Full', '--plan', 'free'];
  await (redis as Redis).config('SET', 'maxmemory', '1');
  const full = await spawned(args);
  await (redis as Redis).config('SET', 'maxmemory', '0');
  expect(full).toMatchObject({ code: 1, stdout: '' });
  expect(full.stderr).toContain(`${errors.SERVICE_UNAVAILABLE.reasons.store} (OOM `);
});
