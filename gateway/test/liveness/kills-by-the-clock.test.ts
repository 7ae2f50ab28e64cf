/**
 * Sessions that end by the clock, while the gateway that would end them or Redis is killed: before their time is over,
 * before Redis sees that they are to end, and after it ended them, before the gateway knows. Each ends once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import limits from '@presenza/contract/limits.json';
import { Redis } from 'ioredis';
import {
  freePort,
  type RunningServer,
  startGateway,
  startRedis,
} from '../../../deploy/local/harness/index.mjs';
import { KeyService } from '../../src/services/keys/keys';
import { monthOf } from '../../src/services/metering/months';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { WebhookService, webhookVault } from '../../src/services/webhooks/endpoints';
import { dueKey, outboxKey, sessionKeys } from '../../src/stores/liveness/keys';
import { RedisSessionStore } from '../../src/stores/liveness/redis-session-store';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { RedisUsage } from '../../src/stores/redis-usage';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { RedisWebhookStore } from '../../src/stores/webhooks/redis-webhook-store';
import { keySecret } from '../services';
import { openTripwire, type Tripwire } from '../tripwire';
import { until } from '../webhooks/deployment';
import { type Receiver, startReceiver, verified } from '../webhooks/receiver';
import { insist } from './insist';
import { type Answer, Phone } from './phone';

type Part = 'gateway' | 'redis';
type Ending = 'expired' | 'cancelled';

const moments = ['before', 'there', 'back'] as const;
/** Shorter than what the page has, which nobody needs to wait for. */
const leaveMs = 300;

/** Of the script's arguments, as they go over the wire: the event and what becomes of the unit. */
const changeTo = (ending: Ending) => `session.${ending}\r\n$6\r\nrefund\r\n`;

/** A deployment, whose sessions all end in the same way. */
class Stand {
  readonly running = {} as Record<Part, RunningServer>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'presenza-clock-'));
  private readonly starts = {} as Record<Part, () => Promise<RunningServer>>;
  private wire!: Tripwire;
  private receiver!: Receiver;
  private redis!: Redis;
  private accountId!: string;
  private apiKey!: string;
  private secret!: string;

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
        WEBHOOK_TAKEOVER_SECONDS: '5',
        NODE_ENV: 'test',
        ...(this.ending === 'expired' && { LIVENESS_SESSION_SECONDS: '1' }),
      });
    this.running.redis = await this.starts.redis();
    this.redis = new Redis(redisPort);
    // It says that the connection is lost, which it is meant to be.
    this.redis.on('error', () => {});
    this.receiver = await startReceiver();
    await this.openAccount();
    this.running.gateway = await this.starts.gateway();
  }

  async close(): Promise<void> {
    await this.running.gateway?.stop();
    this.redis?.disconnect();
    await this.running.redis?.stop();
    await Promise.all([this.wire?.close(), this.receiver?.close()]);
    rmSync(this.folder, { recursive: true });
  }

  /** Kills a part at a moment of a session. @returns the session, once it has ended. */
  async endDespite(part: Part, moment: (typeof moments)[number]): Promise<string> {
    const { accountId } = this;
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

  /** Each of the sessions ended once, for whoever asks: the receiver, the API, the bill. */
  async expectEndedOnce(sessionIds: readonly string[]): Promise<void> {
    const { accountId, redis, ending } = this;
    const told = () => {
      const events = this.receiver.all.map((one) => ({
        ...verified(one, this.secret),
        id: String(one.headers['webhook-id']),
      }));
      return sessionIds.map((id) => events.filter(({ sessionId }) => sessionId === id));
    };
    const { receiver } = this;
    while (told().some((events) => events.length === 0)) await receiver.count(receiver.all.length + 1);
    await until(
      () => redis.xlen(outboxKey(accountId)),
      (length) => length === 0,
    );
    for (const events of told()) {
      expect(new Set(events.map(({ id }) => id)).size).toBe(1);
      expect(new Set(events.map(({ eventType }) => eventType))).toEqual(new Set([`session.${ending}`]));
    }
    for (const sessionId of sessionIds) {
      const { body } = await insist(() => this.call('GET', `/liveness/${sessionId}`));
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
      expect(settled.filter((one) => one.includes(id))).toEqual([`refund ${id}:0`]);
  }

  /** One whose time is over soon. */
  private async newSession(name: string): Promise<string> {
    const { accountId } = this;
    const created = await insist(() => this.call('POST', '/liveness', name));
    const { sessionId, accessToken } = created.body.data;
    if (this.ending === 'expired') return sessionId;
    const phone = new Phone(this.running.gateway.url, sessionId, accessToken);
    await insist(phone.start);
    const leftAt = Date.now();
    await insist(phone.leave);
    const dueAt = Number(await this.redis.zscore(dueKey(accountId), sessionId));
    expect(dueAt).toBeGreaterThanOrEqual(leftAt + 1_000 * limits.liveness.leaveGraceSeconds);
    await new RedisSessionStore(this.redis).leave({ accountId, sessionId }, leaveMs);
    return sessionId;
  }

  private async openAccount(): Promise<void> {
    const accounts = new RedisKeyStore(this.redis);
    const keys = new KeyService(accounts, keySecret);
    this.accountId = (await keys.createAccount('Shop', 'business')).id;
    this.apiKey = (await keys.createKey(this.accountId, 'live')).apiKey;
    const log = new RedisDeliveryLog(this.redis);
    const vault = webhookVault(keySecret);
    const addresses = new AddressGuard({ allowLoopback: true });
    const webhooks = new WebhookService({
      ...{ store: new RedisWebhookStore(this.redis), log, accounts, vault, addresses },
    });
    const events = ['session.expired', 'session.cancelled'] as const;
    const settings = { url: this.receiver.url, events: [...events], type: 'async' } as const;
    this.secret = (await webhooks.create(this.accountId, settings)).secret;
  }

  private async call(method: string, path: string, idempotencyKey?: string): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${this.apiKey}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    };
    const response = await fetch(`${this.running.gateway.url}${path}`, { method, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
}

const stands = [new Stand('expired'), new Stand('cancelled')];
beforeAll(() => Promise.all(stands.map((stand) => stand.open())));
afterAll(() => Promise.all(stands.map((stand) => stand.close())));

test.each(['gateway', 'redis'] as const)(
  '%s',
  (part) =>
    Promise.all(
      stands.map(async (stand) => {
        const sessionIds: string[] = [];
        for (const moment of moments) sessionIds.push(await stand.endDespite(part, moment));
        await stand.expectEndedOnce(sessionIds);
      }),
    ),
  120_000,
);
