/**
 * The life of liveness sessions, once they are made: started by the person in front of the camera, ended by a verdict, by
 * the account, by the person, or by the clock. The store carries out each change in one step; here it is decided
 * which one, what is sealed, and who is told.
 */
import limits from '@presenza/contract/limits.json';
import { randomBase62 } from '../../../crypto/base62';
import { AppError } from '../../../errors';
import type { Account } from '../../keys/accounts';
import { brandingOf } from '../../keys/branding';
import type { Decision, EventListener, SyncWebhooks } from '../../webhooks/events';
import { conflictOf, sessionGone } from './conflicts';
import type { SealedParts } from './sealed-parts';
import type { Session, SessionRecord } from './session';
import { addressOf, type Changed, type SessionAddress, type SessionStore } from './session-store';
import { type FinalStatus, isFinal, type SessionEventType, type SessionStatus } from './states';

export interface SessionServices {
  readonly store: SessionStore;
  readonly seals: SealedParts;
  readonly accounts: { findAccount(id: string): Promise<Account> };
  /** Who is told of events, and asked about some. */
  readonly webhooks: { readonly sync: SyncWebhooks; readonly events: EventListener };
  readonly observer: SessionObserver;
  readonly now: () => number;
}

/** Told of sessions for metrics. */
export interface SessionObserver {
  ended(outcome: FinalStatus): void;
}

export interface Finished extends Changed {
  /** Where a synchronous webhook sends the person. */
  readonly redirectUrl?: string;
}

const sessionId = /^ses_[0-9A-Za-z]{24}$/;

/** Where nobody was asked. */
const nobodyAsked: Decision = { decision: 'continue' };

/** What receivers know an event by. */
export const newEventId = () => `evt_${randomBase62(22)}`;

export class LivenessSessions {
  constructor(private readonly services: SessionServices) {}

  /** @throws AppError NOT_FOUND or SERVICE_UNAVAILABLE */
  async find({ accountId, sessionId }: SessionAddress): Promise<Session> {
    return this.opened(await this.record(accountId, sessionId));
  }

  /** The reference picture; undefined where there is none, or the session has ended. */
  async readReference(session: Session): Promise<Buffer | undefined> {
    const sealed = await this.services.store.findReference(addressOf(session));
    return sealed && this.services.seals.openReference(session, sealed);
  }

  /**
   * The person opened the verification URL. Only the first time it is told, and a synchronous webhook may refuse the
   * session, which then is cancelled. Until that is decided, whoever starts it asks, with the id of the same event.
   * @throws AppError NOT_FOUND, PERMISSION_DENIED, SESSION_EXPIRED, SESSION_STATE_CONFLICT or SERVICE_UNAVAILABLE
   */
  async start(address: SessionAddress) {
    const { store, accounts } = this.services;
    const account = await accounts.findAccount(address.accountId);
    if (account.suspended) throw new AppError('PERMISSION_DENIED', { reason: 'account' });
    const eventId = newEventId();
    const started = await this.settled(address, store.start(address, eventId));
    const { status } = started.session;
    if (isFinal(status)) throw conflictOf(status, 'attempt');
    const { undecided } = started.session;
    const decision =
      undecided === undefined ? nobodyAsked : await this.tell('session.started', started.session, undecided);
    if (undecided !== undefined && decision.decision !== 'reject') await store.decided(address);
    if (started.session.leaveAt !== undefined) await store.comeBack(address);
    const session =
      decision.decision === 'reject' ? (await this.cancel(address)).session : this.opened(started.session);
    return {
      session,
      branding: brandingOf(account),
      ...(decision.redirectUrl !== undefined && { redirectUrl: decision.redirectUrl }),
    };
  }

  /**
   * Ends a session that has not ended; one that has keeps its status.
   * @throws AppError NOT_FOUND, SESSION_STATE_CONFLICT while it is judged, or SERVICE_UNAVAILABLE
   */
  async cancel(address: SessionAddress): Promise<{ readonly session: Session; readonly changed: boolean }> {
    const { store } = this.services;
    const { changed, session } = await this.settled(address, store.cancel(address, newEventId()));
    if (session.status === 'checking') throw conflictOf(session.status, 'attempt');
    if (changed) this.ended(address, 'cancelled');
    return { changed, session: this.opened(session) };
  }

  /**
   * The page was closed, or is loaded anew: unless it is opened again soon, the session is cancelled.
   * @throws AppError NOT_FOUND or SERVICE_UNAVAILABLE
   */
  async leave(address: SessionAddress): Promise<Session> {
    const left = this.services.store.leave(address, 1_000 * limits.liveness.leaveGraceSeconds);
    return this.opened((await this.settled(address, left)).session);
  }

  /** @returns whether it was just now taken for abandoned. */
  async abandon(address: SessionAddress): Promise<boolean> {
    const abandoned = await this.services.store.abandon(address, newEventId());
    if (abandoned?.changed) this.ended(address, 'cancelled');
    return abandoned?.changed ?? false;
  }

  /** @returns whether it expired just now. */
  async expire(address: SessionAddress): Promise<boolean> {
    return (await this.expired(address))?.changed ?? false;
  }

  /** @throws AppError NOT_FOUND, SESSION_STATE_CONFLICT while it is judged, or SERVICE_UNAVAILABLE */
  async erase(address: SessionAddress): Promise<void> {
    if (!sessionId.test(address.sessionId)) throw sessionGone();
    const { erased, status } = present(await this.services.store.erase(address, newEventId()));
    if (!erased) throw conflictOf(status, 'attempt');
    if (!isFinal(status)) this.ended(address, 'cancelled');
  }

  /**
   * Ends the session with a verdict, which counts the unit, and tells of it.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async finish(judgement: Parameters<SessionStore['finish']>[0]): Promise<Finished | undefined> {
    const ended = await this.services.store.finish(judgement);
    if (!ended?.changed) return ended;
    const { status, eventId } = judgement;
    this.services.observer.ended(status);
    const { redirectUrl } = await this.tell(`session.${status}`, ended.session, eventId);
    return { ...ended, ...(redirectUrl !== undefined && { redirectUrl }) };
  }

  /** The newest of an account, newest first. */
  async list(accountId: string, most: number): Promise<Session[]> {
    return (await this.services.store.list(accountId, most)).map((record) => this.opened(record));
  }

  private opened(record: SessionRecord): Session {
    return this.services.seals.open(record);
  }

  /** As it is now: what should have ended by its time ends first. */
  private async record(accountId: string, id: string): Promise<SessionRecord> {
    const { store, now } = this.services;
    if (!sessionId.test(id)) throw sessionGone();
    const address = { accountId, sessionId: id };
    const record = await store.find(address);
    if (!record) throw sessionGone();
    return isOverdue(record, now()) ? present(await this.expired(address)).session : record;
  }

  /** The same for a change that was tried: it may have been refused since the session's time has passed. */
  private async settled(address: SessionAddress, change: Promise<Changed | undefined>): Promise<Changed> {
    const tried = present(await change);
    if (tried.changed || !isOverdue(tried.session, this.services.now())) return tried;
    return { changed: false, session: present(await this.expired(address)).session };
  }

  private async expired(address: SessionAddress): Promise<Changed | undefined> {
    const expired = await this.services.store.expire(address, newEventId());
    if (expired?.changed) this.ended(address, 'expired');
    return expired;
  }

  private ended({ accountId }: Pick<SessionAddress, 'accountId'>, outcome: FinalStatus): void {
    this.services.observer.ended(outcome);
    this.services.webhooks.events.nudge(accountId);
  }

  private async tell(eventType: SessionEventType, session: SessionRecord, eventId: string) {
    const { webhooks } = this.services;
    const { accountId, id: sessionId, startedAt, finishedAt } = session;
    const timestamp = (finishedAt ?? startedAt) as number;
    try {
      return await webhooks.sync.decide({ accountId, eventId, sessionId, eventType, timestamp });
    } finally {
      webhooks.events.nudge(accountId);
    }
  }
}

const waiting: readonly SessionStatus[] = ['created', 'started'];

const isOverdue = ({ status, expiresAt }: SessionRecord, now: number) =>
  waiting.includes(status) && expiresAt <= now;

/** @throws AppError NOT_FOUND */
function present<T>(found: T | undefined): T {
  if (found === undefined) throw sessionGone();
  return found;
}
