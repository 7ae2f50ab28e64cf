/** Captures over HTTP with rendered people, a real gateway, a real Redis and the real models. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import errors from '@presenza/contract/errors.json';
import limits from '@presenza/contract/limits.json';
import { type RunningServer, startRedis } from '../../harness/index.mjs';
import type { ErrorCode } from '../../src/errors';
import { createApp } from '../../src/http/app';
import { createMetrics } from '../../src/observability/metrics';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import { KeyService } from '../../src/services/keys/keys';
import { outboxKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisCaptureStore } from '../../src/stores/liveness/redis-capture-store';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { schemas } from '../contract';
import { keepOpen, keySecret, realLiveness, realServices } from '../services';
import { sharedTierUrl } from '../shared-tier';
import { type OutageProxy, openOutageProxy } from './outage-proxy';
import { jpegOf } from './people/image';
import { loadPeople, type Person } from './people/people';
import { sitter } from './people/subject';
import { type ApiResponse, Phone } from './phone';

let redisServer: RunningServer;
/** Between the gateway and the tier. */
export let proxy: OutageProxy;
export let redis: RedisClient;
export let inference: HttpInferenceClient;
export let person: Person;
/** A frame of the person looking straight ahead. */
export let frontal: Buffer;
export const metrics = createMetrics();
const deadlineMs = 120_000;

/**
 * The frames arrive at the times at which they were filmed. A busy machine sends them later and with gaps, which a check
 * would refuse.
 */
class PunctualCaptures extends RedisCaptureStore {
  override async readRecord(...args: Parameters<RedisCaptureStore['readRecord']>) {
    const record = await super.readRecord(...args);
    const { frameIntervalMs } = limits.liveness.attempt;
    const arrivals = record?.arrivals.map((frame) => ({ ...frame, timeMs: frame.number * frameIntervalMs }));
    return record && { ...record, arrivals: arrivals ?? [] };
  }
}

let server: Server;
let url: string;
export let accountId: string;
export let apiKey: string;
/** A key that may read audit images. */
let reader: string;

/** Call it once per file. */
export function setUpCaptures(): void {
  beforeAll(setUp);
  afterAll(tearDown);
}

async function setUp(): Promise<void> {
  const [redisProcess, people] = await Promise.all([startRedis(), loadPeople()]);
  redisServer = redisProcess;
  person = people[0] as Person;
  frontal = await jpegOf(await (await sitter(person, { seed: 2 })).frameAt(0));
  redis = await connectRedis({ url: redisServer.url, cluster: false }, () => {});
  proxy = await openOutageProxy(sharedTierUrl());
  inference = new HttpInferenceClient(proxy.url);
  const { liveness } = realLiveness(redis, inference, {
    observer: metrics.liveness,
    // A busy machine may need longer than the defaults for a capture, its guidance and its check.
    guidanceTimeoutMs: 60_000,
    captures: new PunctualCaptures(redis),
    config: { LIVENESS_ATTEMPTS: 2, LIVENESS_ATTEMPT_SECONDS: 590, GATEWAY_DEADLINE_MS: deadlineMs },
  });
  const services = { ...realServices(redis, inference), liveness, deadlineMs };
  server = createServer(keepOpen, createApp(services)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = new KeyService(new RedisKeyStore(redis), keySecret);
  accountId = (await keys.createAccount('Shop', 'business')).id;
  apiKey = (await keys.createKey(accountId, 'live')).apiKey;
  await keys.updateAccount(accountId, { auditImages: {} });
  reader = (await keys.createKey(accountId, 'live', { auditImages: true })).apiKey;
}

async function tearDown(): Promise<void> {
  server.closeAllConnections();
  server.close();
  inference.close();
  redis.disconnect();
  await Promise.all([redisServer.stop(), proxy.cut()]);
}

// biome-ignore lint/suspicious/noExplicitAny: the tests check responses against the contract's schemas
export async function call(method: string, path: string, body?: object, key = apiKey): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: unknown }).data;
}

export async function newSession(body: object = {}, device?: string) {
  const { sessionId, accessToken } = await call('POST', '/liveness', body);
  const phone = new Phone(url, sessionId, accessToken, device);
  expect((await phone.start()).status).toBe(200);
  return { sessionId, phone };
}

export const view = (sessionId: string) => call('GET', `/liveness/${sessionId}`);
export const auditImage = (sessionId: string) =>
  call('GET', `/liveness/${sessionId}/audit-image`, undefined, reader);
export const unitsUsed = async () => (await call('GET', '/usage')).productGroups.livenessDetection.used;

export async function eventsOf(sessionId: string) {
  const entries = await redis.xrange(outboxKey(accountId), '-', '+');
  return entries
    .map(([, fields]) => fields)
    .filter((fields) => fields.includes(sessionId))
    .map((fields) => fields[fields.indexOf('type') + 1]);
}

export const keysOf = (sessionId: string) => sessionKeys({ accountId, sessionId });
export async function framesKept(sessionId: string): Promise<number> {
  return redis.hlen(keysOf(sessionId).frames);
}

export function expectError({ status, headers, body }: ApiResponse, code: ErrorCode, reason?: string): void {
  expect(body).toMatchObject({ success: false, error: { code, ...(reason ? { reason } : {}) } });
  expect(status).toBe(errors[code].status);
  expect(schemas.validate('error-response.json', body)).toBe(true);
  expect(body.requestId).toBe(headers.get('x-request-id'));
}

/** Sum of the samples of a metric whose labels begin like this; 0 if there are none. */
export async function metric(name: string, labels = ''): Promise<number> {
  const text = await metrics.registry.metrics();
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(`presenza_gateway_liveness_${name}{${labels}`));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

export const framesWith = (guidance: string) => metric('frames_total', `guidance="${guidance}"`);

export const final = ['SESSION_STATE_CONFLICT', 'final'] as const;
