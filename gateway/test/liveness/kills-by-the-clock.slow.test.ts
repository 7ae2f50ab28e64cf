/**
 * Sessions that expire while their gateway or Redis is killed: before their time has passed, before Redis receives the
 * transition, and after it before the gateway receives the reply. Each session ends once.
 *
 * Slow: gateways are killed at many moments of a session, each time with a new process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import limits from '@presenza/contract/limits.json';
import { Redis } from 'ioredis';
import { freePort, type RunningServer, startGateway, startRedis } from '../../harness/index.mjs';
import { monthOf } from '../../src/services/metering/months';
import { dueKey, outboxKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import { RedisUsage } from '../../src/stores/redis-usage';
import { keySecret } from '../services';
import { openTripwire, type Tripwire } from '../tripwire';
import { until } from '../webhooks/deployment';
import { type Receiver, startReceiver, verified } from '../webhooks/receiver';
import { newWebhookAccount, type WebhookAccount } from './account';
import { type ApiResponse, Phone } from './phone';
import { retryCall } from './retry-call';

type Part = 'gateway' | 'redis';
type Ending = 'expired' | 'cancelled';

const moments = ['before', 'there', 'back'] as const;
/** Shorter than the real grace period, to save time. */
const leaveMs = 300;

/** Consecutive arguments of the script on the wire: the event and the settlement of the unit. */
const changeTo = (ending: Ending) => `session.${ending}\r\n$6\r\nrefund\r\n`;

/** A deployment whose sessions all end in the same way. */
class Stand {
  readonly running = {} as Record<Part, RunningServer>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'presenza-clock-'));
  private readonly starts = {} as Record<Part, () => Promise<RunningServer>>;
  private wire!: Tripwire;
  private receiver!: Receiver;
  private redis!: Redis;
  private account!: WebhookAccount;

  constructor(private readonly ending: Ending) {}

  async open(): Promise<void> {
    const [redisPort, gatewayPort] = await Promise.all([freePort(), freePort()]);
    this.wire = await openTripwire(redisPort);
    this.starts.redis = () => startRedis({ folder: this.folder, port: redisPort, durable: true });
    this.starts.gateway = () =>
      startGateway({
        REDIS_URL: `redis://127.0.0.1:${this.wire.port}`,
        GATEWAY_PORT: String(gatewayPort),
        GATEWAY_JOURNAL: join(this.folder, 'journal'),
        KEY_SECRET: keySecret,
        WEBHOOK_TAKEOVER_SECONDS: '2',
        NODE_ENV: 'test',
        ...(this.ending === 'expired' && { LIVENESS_SESSION_SECONDS: '1' }),
      });
    this.running.redis = await this.starts.redis();
    this.redis = new Redis(redisPort);
    // The test kills Redis, so connections fail.
    this.redis.on('error', () => {});
    this.receiver = await startReceiver();
    const events = ['session.expired', 'session.cancelled'];
    this.account = await newWebhookAccount(this.redis, this.receiver.url, events);
    this.running.gateway = await this.starts.gateway();
  }

  async close(): Promise<void> {
    await this.running.gateway?.stop();
    this.redis?.disconnect();
    await this.running.redis?.stop();
    await Promise.all([this.wire?.close(), this.receiver?.close()]);
    rmSync(this.folder, { recursive: true });
  }

  /** Kills a part at a moment of a session. @returns the session's id once it has ended. */
  async endDespite(part: Part, moment: (typeof moments)[number]): Promise<string> {
    const { accountId } = this.account;
    const stopped = moment === 'before' ? undefined : this.wire.stop(changeTo(this.ending), moment);
    const sessionId = await this.newSession(`${part}-${moment}`);
    const { session } = sessionKeys({ accountId, sessionId });
    const ended = () =>
      until(
        () => this.redis.hget(session, 'status'),
        (status) => status === this.ending,
      );
    const dueAt = Number(await this.redis.zscore(dueKey(accountId), sessionId));
    await stopped;
    if (moment === 'back') await ended();
    await this.running[part].kill();
    if (moment === 'before') await delay(Math.max(0, dueAt - Date.now()));
    this.running[part] = await this.starts[part]();
    await ended();
    return sessionId;
  }

  /** Expects that each session ended once for its receiver, the API and the bill. */
  async expectEndedOnce(sessionIds: readonly string[]): Promise<void> {
    const { redis, ending } = this;
    const { accountId } = this.account;
    const received = () => {
      const events = this.receiver.all.map((delivery) => ({
        ...verified(delivery, this.account.secret),
        id: String(delivery.headers['webhook-id']),
      }));
      return sessionIds.map((id) => events.filter(({ sessionId }) => sessionId === id));
    };
    const { receiver } = this;
    while (received().some((events) => events.length === 0)) await receiver.count(receiver.all.length + 1);
    await until(
      () => redis.xlen(outboxKey(accountId)),
      (length) => length === 0,
    );
    for (const events of received()) {
      expect(new Set(events.map(({ id }) => id)).size).toBe(1);
      expect(new Set(events.map(({ eventType }) => eventType))).toEqual(new Set([`session.${ending}`]));
    }
    for (const sessionId of sessionIds) {
      const { body } = await retryCall(() => this.call('GET', `/liveness/${sessionId}`));
      expect(body.data).toMatchObject({ sessionId, status: ending });
    }
    expect(await redis.zcard(dueKey(accountId))).toBe(0);
    const usage = new RedisUsage(redis);
    const month = monthOf(Date.now());
    const { used, reserved } = await usage.readMonth(accountId, 'live', month);
    expect([used.livenessDetection, reserved.livenessDetection]).toEqual([0, 0]);
    const settled: string[] = [];
    for await (const { kind, item } of usage.readLedger(accountId, month)) settled.push(`${kind} ${item}`);
    for (const id of sessionIds)
      expect(settled.filter((entry) => entry.includes(id))).toEqual([`refund ${id}:0`]);
  }

  /** Creates a session that expires soon. */
  private async newSession(name: string): Promise<string> {
    const { accountId } = this.account;
    const created = await retryCall(() => this.call('POST', '/liveness', name));
    const { sessionId, accessToken } = created.body.data;
    if (this.ending === 'expired') return sessionId;
    const phone = new Phone(this.running.gateway.url, sessionId, accessToken);
    await retryCall(phone.start);
    const leftAt = Date.now();
    await retryCall(phone.leave);
    const dueAt = Number(await this.redis.zscore(dueKey(accountId), sessionId));
    expect(dueAt).toBeGreaterThanOrEqual(leftAt + 1_000 * limits.liveness.leaveGraceSeconds);
    await new RedisSessionStore(this.redis).leave({ accountId, sessionId }, leaveMs);
    return sessionId;
  }

  private async call(method: string, path: string, idempotencyKey?: string): Promise<ApiResponse> {
    const headers = {
      authorization: `Bearer ${this.account.apiKey}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const response = await fetch(`${this.running.gateway.url}${path}`, { method, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
}

const stands = [new Stand('expired'), new Stand('cancelled')];
beforeAll(() => Promise.all(stands.map((stand) => stand.open())));
afterAll(() => Promise.all(stands.map((stand) => stand.close())));

test.each(['gateway', 'redis'] as const)('ends sessions once when %s is killed', (part) =>
  Promise.all(
    stands.map(async (stand) => {
      const sessionIds: string[] = [];
      for (const moment of moments) sessionIds.push(await stand.endDespite(part, moment));
      await stand.expectEndedOnce(sessionIds);
    }),
  ),
);
