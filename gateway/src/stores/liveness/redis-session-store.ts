/** Liveness sessions in Redis. Every change is one script. */
import limits from '@presenza/contract/limits.json';
import { randomBase62 } from '../../crypto/base62';
import type { SealedDetails, SessionRecord } from '../../services/liveness/session/session';
import type {
  Changed,
  Created,
  Creation,
  Judgment,
  SessionAddress,
  SessionFilter,
  SessionStore,
} from '../../services/liveness/session/session-store';
import {
  type SessionStatus,
  type Transition,
  type TransitionName,
  transitions,
} from '../../services/liveness/session/states';
import type { Page, PageOf } from '../../services/pages';
import { takeLease } from '../lease';
import { LuaScript } from '../lua/script';
import { type MeterKey, meterKeys, scoped } from '../meter-scripts';
import { newestFirst } from '../newest-first';
import { type RedisClient, unavailable } from '../redis';
import {
  dueKey,
  eventOrderKey,
  eventsKey,
  frameHourKeys,
  heldKey,
  outboxKey,
  sessionKeys,
  sessionsKey,
  sweeperKey,
} from './keys';
import { keysElsewhere, type RedisSessionKeys } from './redis-session-keys';
import { dueSessions, touchAccount } from './session-accounts';
import { recordOf } from './session-record';

type SessionKey =
  | MeterKey
  | 'session'
  | 'reference'
  | 'attempt'
  | 'frames'
  | 'remembered'
  | 'due'
  | 'kept'
  | 'outbox'
  | 'held'
  | 'events'
  | 'eventOrder';
type ChangeArg = 'id' | 'change';

const { retentionSeconds, maxPerAccount } = limits.events;
const constants = { EVENTS_MS: 1_000 * retentionSeconds, MAX_EVENTS: maxPerAccount };

const createScript = LuaScript.load<
  SessionKey,
  ChangeArg | 'admissionId' | 'maxOpen' | 'maxBytes' | 'lifetime' | 'retention' | 'image'
>('liveness/create', constants);
const changeScript = LuaScript.load<
  SessionKey,
  | ChangeArg
  | ('from' | 'to' | 'event' | 'unit' | 'time' | 'about' | 'maxBegun' | 'lease' | 'grace' | 'setCount')
>('liveness/change', constants);
const decideScript = LuaScript.load<'session', 'redirect'>('liveness/decide');
const eraseScript = LuaScript.load<SessionKey, ChangeArg>('liveness/erase', constants);

/** Sessions that `nextReturn` looks at. */
const returnsAtOnce = 100;

/** Length of ids for changes that have no id of their own. */
const changeIdLength = 22;

type Fields = Readonly<Record<string, string>>;

/** The conditions and effects of a change, in addition to the table of transitions. */
interface Change {
  /** Id of the change. */
  readonly change: string;
  /** See `change.lua`. */
  readonly time?: 'open' | 'over' | 'left';
  /** The attempt that must be the session's. */
  readonly attemptId?: string;
  readonly maxBegun?: number;
  readonly leaseMs?: number;
  readonly graceMs?: number;
  /** Fields of the session to set. */
  readonly set?: Fields;
  /** Fields of the new attempt. */
  readonly attempt?: Fields;
}

export interface SessionStoreOptions {
  /** Where the keys of sessions are stored. Default: with the sessions. */
  readonly keys?: RedisSessionKeys | undefined;
  readonly now?: () => number;
}

export class RedisSessionStore implements SessionStore {
  private readonly keys: RedisSessionKeys | undefined;
  private readonly now: () => number;

  constructor(
    private readonly redis: RedisClient,
    { keys, now = Date.now }: SessionStoreOptions = {},
  ) {
    this.keys = keys;
    this.now = now;
  }

  async create({ session, admissionId, maxOpen, maxBytes, idempotency }: Creation): Promise<Created> {
    const { accountId, id, mode, lifetimeMs, retentionMs, reference } = session;
    // First, so that the sweep finds every session that exists.
    await touchAccount(this.redis, accountId, this.now());
    const { keyId, maxAttempts, dataKey, details, stepMs } = session;
    const pace = stepMs === undefined ? {} : { stepMs };
    // First, so that every session has a key.
    await this.keys?.add(id, dataKey, retentionMs);
    const key = this.keys ? {} : { dataKey };
    const fields = {
      id,
      mode,
      keyId,
      attempts: maxAttempts,
      ...key,
      details,
      hasReference: reference ? 1 : 0,
      ...pace,
    };
    const keys = keysOf({ accountId, sessionId: id }, scoped(mode, idempotency?.key));
    const times = { lifetime: lifetimeMs, retention: retentionMs };
    const args = { id, change: '', admissionId, maxOpen, maxBytes, ...times, image: reference ?? '' };
    const reply = await createScript
      .run(this.redis, keys, args, { args: Object.entries(fields).flat() })
      .catch(unavailable);
    const [outcome, result, ends] = reply as [Created['outcome'], string[] | string, string];
    if (outcome === 'created') {
      const record = recordOf(accountId, result as string[], dataKey) as SessionRecord;
      return { outcome, session: record };
    }
    await this.keys?.discard(id);
    if (outcome !== 'repeated') return { outcome };
    return { outcome, earlier: { sessionId: result as string, expiresAt: Number(ends) } };
  }

  async find(address: SessionAddress): Promise<SessionRecord | undefined> {
    const { session } = sessionKeys(address);
    const [fields, key] = await Promise.all([
      this.redis.hgetall(session).catch(unavailable),
      this.findKey(address),
    ]);
    return 'status' in fields ? recordOf(address.accountId, Object.entries(fields).flat(), key) : undefined;
  }

  async findCreated(accountId: string, mode: SessionRecord['mode'], key: string) {
    const { idem } = meterKeys(accountId, scoped(mode, key));
    const [fingerprint, sessionId, ends] = await this.redis
      .hmget(idem, 'fingerprint', 'session', 'sessionEnds')
      .catch(unavailable);
    return fingerprint && sessionId ? { fingerprint, sessionId, expiresAt: Number(ends) } : undefined;
  }

  async nextReturn(accountId: string, mode: SessionRecord['mode']): Promise<number | undefined> {
    const due = await this.redis
      .zrange(dueKey(accountId), '0', String(returnsAtOnce - 1), 'WITHSCORES')
      .catch(unavailable);
    const sessions = due.flatMap((id, at) => (at % 2 === 0 ? [{ id, ends: Number(due[at + 1]) }] : []));
    if (sessions.length === 0) return undefined;
    const { reservations } = meterKeys(accountId);
    const units = await this.redis
      .hmget(reservations, ...sessions.map(({ id }) => `${id}:0`))
      .catch(unavailable);
    return sessions.find((_, at) => units[at]?.startsWith(`${mode}|`))?.ends;
  }

  async findReference(address: SessionAddress): Promise<Buffer | undefined> {
    const sealed = await this.redis.getBuffer(sessionKeys(address).reference).catch(unavailable);
    return sealed ?? undefined;
  }

  start(address: SessionAddress, eventId: string): Promise<Changed | undefined> {
    return this.change('start', address, { change: eventId, time: 'open', set: { undecided: eventId } });
  }

  async clearUndecided(address: SessionAddress, redirect = ''): Promise<void> {
    const { session } = sessionKeys(address);
    await decideScript.run(this.redis, { session }, { redirect }).catch(unavailable);
  }

  beginAttempt(
    address: SessionAddress,
    {
      attemptId,
      device,
      network = '',
      subjects = [],
      notice = '',
      locale = '',
      maxBegun,
      fields,
    }: Parameters<SessionStore['beginAttempt']>[1],
  ): Promise<Changed | undefined> {
    return this.change('beginAttempt', address, {
      change: attemptId,
      time: 'open',
      maxBegun,
      set: {
        attemptId,
        device,
        network,
        subjects: subjects.join(),
        consentNotice: notice,
        consentLocale: locale,
      },
      attempt: fields,
    });
  }

  async beginCheck(
    address: SessionAddress,
    { attemptId, checker, leaseMs }: Parameters<SessionStore['beginCheck']>[1],
  ): Promise<Changed | undefined> {
    const change = { change: checker, attemptId, leaseMs };
    const begun = await this.change('beginCheck', address, { ...change, time: 'open' });
    if (begun?.changed !== false || begun.session.status !== 'checking') return begun;
    return this.change('takeOverCheck', address, change);
  }

  finish({
    status,
    outcome,
    eventId,
    ...judgment
  }: Parameters<SessionStore['finish']>[0]): Promise<Changed | undefined> {
    const name = status === 'completed' ? 'complete' : 'fail';
    return this.judge(name, judgment, { change: eventId, set: { outcome } });
  }

  retry(judgment: Judgment): Promise<Changed | undefined> {
    return this.judge('retry', judgment, { change: `${judgment.attemptId}:retry` });
  }

  leave(address: SessionAddress, graceMs: number): Promise<Changed | undefined> {
    return this.change('leave', address, { change: randomBase62(changeIdLength), time: 'open', graceMs });
  }

  rejoin(address: SessionAddress): Promise<Changed | undefined> {
    return this.change('rejoin', address, { change: randomBase62(changeIdLength), time: 'open' });
  }

  abandon(address: SessionAddress, eventId: string): Promise<Changed | undefined> {
    return this.change('abandon', address, { change: eventId, time: 'left' });
  }

  cancel(address: SessionAddress, eventId: string): Promise<Changed | undefined> {
    return this.change('cancel', address, { change: eventId, time: 'open' });
  }

  async expire(address: SessionAddress, eventId: string): Promise<Changed | undefined> {
    await this.resumeErasure(address);
    return this.change('expire', address, { change: eventId, time: 'over' });
  }

  async erase(address: SessionAddress, eventId: string) {
    // Before anything changes, a gateway without the Redis of the keys must refuse to erase a session whose key is there.
    if (!this.keys) await this.findKey(address);
    const args = { id: address.sessionId, change: eventId };
    const hours = { keys: frameHourKeys(address.accountId, this.now()) };
    const reply = await eraseScript.run(this.redis, keysOf(address), args, hours).catch(unavailable);
    const [erased, status] = (reply ?? []) as [] | [0 | 1, SessionStatus];
    if (erased === 1) await this.resumeErasure(address);
    return status && { erased: erased === 1, status };
  }

  async resumeErasure(address: SessionAddress): Promise<void> {
    const { accountId, sessionId } = address;
    const { session } = sessionKeys(address);
    if ((await this.redis.hexists(session, 'erasing').catch(unavailable)) === 0) return;
    if (!this.keys) return unavailable(keysElsewhere);
    await this.keys.erase(sessionId);
    await Promise.all([this.redis.zrem(dueKey(accountId), sessionId), this.redis.del(session)]).catch(
      unavailable,
    );
  }

  /**
   * The session's key if it is stored apart from the session.
   * @throws ApiError SERVICE_UNAVAILABLE if it is, but this gateway has no address of that Redis
   */
  private async findKey(address: SessionAddress): Promise<string | undefined> {
    if (this.keys) return this.keys.find(address.sessionId);
    const { session } = sessionKeys(address);
    const [exists, hasKey] = await Promise.all([
      this.redis.exists(session),
      this.redis.hexists(session, 'dataKey'),
    ]).catch(unavailable);
    return exists > hasKey ? unavailable(keysElsewhere) : undefined;
  }

  async list(
    accountId: string,
    { mode, status, ...page }: PageOf & SessionFilter,
    accepts?: (session: SealedDetails) => boolean,
  ): Promise<Page<SessionRecord>> {
    const sealed = accepts ? ['dataKey', 'details'] : [];
    const select = async (id: string) => {
      const { session } = sessionKeys({ accountId, sessionId: id });
      const [isIn, is, dataKey, details] = await this.redis
        .hmget(session, 'mode', 'status', ...sealed)
        .catch(unavailable);
      if (!is || (mode ?? isIn) !== isIn || (status ?? is) !== is) return undefined;
      if (!accepts) return id;
      const key = dataKey ?? (await this.findKey({ accountId, sessionId: id }));
      if (key === undefined) return undefined;
      return accepts({ accountId, id, dataKey: key, details } as SealedDetails) ? id : undefined;
    };
    const { items, ...rest } = await newestFirst(this.redis, sessionsKey(accountId), page, (ids) =>
      Promise.all(ids.map(select)),
    );
    const sessions = await Promise.all(items.map((sessionId) => this.find({ accountId, sessionId })));
    return { items: sessions.filter((session) => session !== undefined), ...rest };
  }

  due(): AsyncIterable<SessionAddress> {
    return dueSessions(this.redis, this.now);
  }

  acquireLease(ms: number): Promise<boolean> {
    return takeLease(this.redis, sweeperKey, ms).catch(unavailable);
  }

  private judge(
    name: 'retry' | 'complete' | 'fail',
    { attemptId, explanation, ...address }: Judgment,
    { change, set }: Change,
  ): Promise<Changed | undefined> {
    return this.change(name, address, { change, attemptId, set: { explanation, ...set } });
  }

  private async change(
    name: TransitionName,
    address: SessionAddress,
    { change, time, attemptId = '', maxBegun, leaseMs, graceMs, set = {}, attempt = {} }: Change,
  ): Promise<Changed | undefined> {
    const { from, to, event, unit }: Transition = transitions[name];
    const args = {
      id: address.sessionId,
      change,
      from: ` ${from.join(' ')} `,
      to,
      event: event ?? '',
      unit: unit ?? '',
      time: time ?? '',
      about: attemptId,
      maxBegun: maxBegun ?? '',
      lease: leaseMs ?? '',
      grace: graceMs ?? '',
      setCount: Object.keys(set).length,
    };
    const fields = [...Object.entries(set), ...Object.entries(attempt)].flat();
    // First, so that no change happens whose result cannot be opened.
    const key = await this.findKey(address);
    const reply = await changeScript
      .run(this.redis, keysOf(address), args, { args: fields })
      .catch(unavailable);
    if (!reply) return undefined;
    const [changed, entries] = reply as [0 | 1, string[]];
    const session = recordOf(address.accountId, entries, key);
    return session && { changed: changed === 1, session };
  }
}

/** @param idempotencyKey as `scoped` returns it. */
function keysOf(address: SessionAddress, idempotencyKey?: string): Record<SessionKey, string> {
  const { accountId } = address;
  return {
    ...meterKeys(accountId, idempotencyKey),
    ...sessionKeys(address),
    due: dueKey(accountId),
    kept: sessionsKey(accountId),
    outbox: outboxKey(accountId),
    held: heldKey(accountId),
    events: eventsKey(accountId),
    eventOrder: eventOrderKey(accountId),
  };
}
