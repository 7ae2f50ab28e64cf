/** Liveness sessions in Redis: every change is one script, and everything of an account shares its slot. */
import { randomBase62 } from '../../crypto/base62';
import type { SessionRecord } from '../../services/liveness/session/session';
import type {
  Changed,
  Created,
  Creation,
  Judgement,
  SessionAddress,
  SessionStore,
} from '../../services/liveness/session/session-store';
import {
  type SessionStatus,
  type Transition,
  type TransitionName,
  transitions,
} from '../../services/liveness/session/states';
import { takeLease } from '../lease';
import { keysOf, scoped } from '../meter-scripts';
import { type RedisClient, unavailable } from '../redis';
import { dueKey, heldKey, outboxKey, sessionKeys, sessionsKey, sweeperKey } from './keys';
import { dueSessions, touchAccount } from './session-accounts';
import { defineSessionCommands } from './session-commands';
import { recordOf } from './session-record';

/** Of an id for a change that has none by itself. */
const changeLength = 22;

type Fields = Readonly<Record<string, string>>;

/** What a change is made with, beside what the table of transitions says. */
interface Conditions {
  /** Id of the change. */
  readonly change: string;
  /** Whether the session's time must not have passed, or must have, or that of somebody who left. */
  readonly time?: 'open' | 'over' | 'left';
  /** Attempt that must be the session's. */
  readonly attemptId?: string;
  readonly mostBegun?: number;
  readonly leaseMs?: number;
  readonly graceMs?: number;
  /** Fields of the session to set. */
  readonly set?: Fields;
  /** Fields of the new attempt. */
  readonly attempt?: Fields;
}

export class RedisSessionStore implements SessionStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly now: () => number = Date.now,
  ) {
    defineSessionCommands(redis);
  }

  async create({ session, operation, maxOpen, maxBytes, ...rest }: Creation): Promise<Created> {
    const { idempotency, erased = '' } = rest;
    const { accountId, id, mode, lifetimeMs, retentionMs, reference } = session;
    // First, so that nobody overlooks a session that was made.
    await touchAccount(this.redis, accountId, this.now());
    const { keyId, attempts, dataKey, details } = session;
    const fields = { id, mode, keyId, attempts, dataKey, details, hasReference: reference ? 1 : 0 };
    const keys = keysOfSession({ accountId, sessionId: id }, scoped(mode, idempotency?.key));
    const args = [id, '', operation, maxOpen, maxBytes, erased, lifetimeMs, retentionMs, reference ?? ''];
    const [outcome, answer] = await this.redis
      .sessionCreate(...keys, ...args, ...Object.entries(fields).flat())
      .catch(unavailable);
    if (outcome === 'created') return { outcome, session: recordOf(accountId, answer as string[]) };
    return outcome === 'repeated' ? { outcome, sessionId: answer as string } : { outcome };
  }

  async find(address: SessionAddress): Promise<SessionRecord | undefined> {
    const { session } = sessionKeys(address);
    const fields = await this.redis.hgetall(session).catch(unavailable);
    return 'status' in fields ? recordOf(address.accountId, Object.entries(fields).flat()) : undefined;
  }

  async findCreated(accountId: string, mode: SessionRecord['mode'], key: string) {
    const idem = keysOf(accountId, scoped(mode, key)).at(-1) as string;
    const [fingerprint, sessionId] = await this.redis
      .hmget(idem, 'fingerprint', 'session')
      .catch(unavailable);
    return fingerprint && sessionId ? { fingerprint, sessionId } : undefined;
  }

  async findReference(address: SessionAddress): Promise<Buffer | undefined> {
    const sealed = await this.redis.getBuffer(sessionKeys(address).reference).catch(unavailable);
    return sealed ?? undefined;
  }

  start(address: SessionAddress, eventId: string): Promise<Changed | undefined> {
    return this.change('start', address, { change: eventId, time: 'open', set: { undecided: eventId } });
  }

  async clearUndecided(address: SessionAddress): Promise<void> {
    await this.redis.hdel(sessionKeys(address).session, 'undecided').catch(unavailable);
  }

  beginAttempt(
    address: SessionAddress,
    {
      attemptId,
      device,
      network = '',
      notice = '',
      maxBegun,
      fields,
    }: Parameters<SessionStore['beginAttempt']>[1],
  ): Promise<Changed | undefined> {
    return this.change('beginAttempt', address, {
      change: attemptId,
      time: 'open',
      mostBegun: maxBegun,
      set: { attemptId, device, network, consentNotice: notice },
      attempt: fields,
    });
  }

  async beginCheck(
    address: SessionAddress,
    { attemptId, checker, leaseMs }: Parameters<SessionStore['beginCheck']>[1],
  ): Promise<Changed | undefined> {
    const conditions = { change: checker, attemptId, leaseMs };
    const begun = await this.change('beginCheck', address, { ...conditions, time: 'open' });
    if (begun?.changed !== false || begun.session.status !== 'checking') return begun;
    return this.change('takeOverCheck', address, conditions);
  }

  finish({
    status,
    outcome,
    eventId,
    ...judgement
  }: Parameters<SessionStore['finish']>[0]): Promise<Changed | undefined> {
    const name = status === 'completed' ? 'complete' : 'fail';
    return this.judge(name, judgement, { change: eventId, set: { outcome } });
  }

  retry(judgement: Judgement): Promise<Changed | undefined> {
    return this.judge('retry', judgement, { change: `${judgement.attemptId}:retry` });
  }

  leave(address: SessionAddress, graceMs: number): Promise<Changed | undefined> {
    return this.change('leave', address, { change: randomBase62(changeLength), time: 'open', graceMs });
  }

  rejoin(address: SessionAddress): Promise<Changed | undefined> {
    return this.change('rejoin', address, { change: randomBase62(changeLength), time: 'open' });
  }

  abandon(address: SessionAddress, eventId: string): Promise<Changed | undefined> {
    return this.change('abandon', address, { change: eventId, time: 'left' });
  }

  cancel(address: SessionAddress, eventId: string): Promise<Changed | undefined> {
    return this.change('cancel', address, { change: eventId, time: 'open' });
  }

  expire(address: SessionAddress, eventId: string): Promise<Changed | undefined> {
    return this.change('expire', address, { change: eventId, time: 'over' });
  }

  async erase(address: SessionAddress, eventId: string) {
    const keys = keysOfSession(address);
    const answer = await this.redis.sessionErase(...keys, address.sessionId, eventId).catch(unavailable);
    return answer ? { erased: answer[0] === 1, status: answer[1] as SessionStatus } : undefined;
  }

  async list(accountId: string, most: number): Promise<SessionRecord[]> {
    const ids = await this.redis
      .zrange(sessionsKey(accountId), '0', String(most - 1), 'REV')
      .catch(unavailable);
    const found = await Promise.all(ids.map((sessionId) => this.find({ accountId, sessionId })));
    return found.filter((one) => one !== undefined);
  }

  due(): AsyncIterable<SessionAddress> {
    return dueSessions(this.redis, this.now);
  }

  acquireLease(ms: number): Promise<boolean> {
    return takeLease(this.redis, sweeperKey, ms).catch(unavailable);
  }

  private judge(
    name: 'retry' | 'complete' | 'fail',
    { attemptId, explanation, ...address }: Judgement,
    { change, set }: Conditions,
  ): Promise<Changed | undefined> {
    return this.change(name, address, { change, attemptId, set: { explanation, ...set } });
  }

  private async change(
    name: TransitionName,
    address: SessionAddress,
    { change, time, attemptId, mostBegun, leaseMs, graceMs, set = {}, attempt = {} }: Conditions,
  ): Promise<Changed | undefined> {
    const { from, to, event, unit }: Transition = transitions[name];
    const answer = await this.redis
      .sessionChange(
        ...keysOfSession(address),
        ...[address.sessionId, change, ` ${from.join(' ')} `, to, event ?? '', unit ?? ''],
        ...[
          time ?? '',
          attemptId ?? '',
          mostBegun ?? '',
          leaseMs ?? '',
          graceMs ?? '',
          Object.keys(set).length,
        ],
        ...Object.entries(set).flat(),
        ...Object.entries(attempt).flat(),
      )
      .catch(unavailable);
    if (!answer) return undefined;
    return { changed: answer[0] === 1, session: recordOf(address.accountId, answer[1]) };
  }
}

/** In the order of the scripts. */
function keysOfSession(address: SessionAddress, idempotencyKey?: string): string[] {
  const { accountId } = address;
  const { session, reference, attempt, frames } = sessionKeys(address);
  return [
    ...keysOf(accountId, idempotencyKey),
    ...[session, reference, attempt, frames],
    ...[dueKey(accountId), sessionsKey(accountId), outboxKey(accountId), heldKey(accountId)],
  ];
}
