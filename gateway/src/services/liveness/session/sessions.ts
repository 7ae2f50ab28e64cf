/**
 * The lifecycle of liveness sessions. The user starts a session; a verdict, the account, the user or the clock ends it.
 * This service chooses the change, seals its data and notifies observers; the store carries it out atomically.
 */
import limits from '@presenza/contract/limits.json';
import { ApiError } from '../../../errors';
import type { Account } from '../../keys/accounts';
import { brandingOf } from '../../keys/branding';
import { noticeOf } from '../../keys/hosted-page';
import type { Page, PageOf } from '../../pages';
import type { Decision, EventNotifier, SyncWebhooks } from './events';
import { newEventId } from './ids';
import type { SealedParts } from './sealed-parts';
import type { Session, SessionDetails, SessionRecord } from './session';
import { conflictOf, endedAs, sessionGone } from './session-errors';
import {
  addressOf,
  type Changed,
  type SessionAddress,
  type SessionFilter,
  type SessionStore,
} from './session-store';
import { type FinalStatus, isFinal, type SessionEventType, type SessionStatus } from './states';

export interface SessionServices {
  readonly store: SessionStore;
  readonly seals: SealedParts;
  readonly accounts: { findAccount(id: string): Promise<Account> };
  readonly webhooks: { readonly sync: SyncWebhooks; readonly events: EventNotifier };
  readonly observer: SessionObserver;
  readonly now: () => number;
}

/** Observes the end of sessions for metrics. */
export interface SessionObserver {
  ended(outcome: FinalStatus): void;
}

export interface Finished extends Changed {
  /** The user's next page, from a synchronous webhook. */
  readonly redirectUrl?: string;
}

const sessionId = /^ses_[0-9A-Za-z]{24}$/;

export const isSessionId = (text: string): boolean => sessionId.test(text);

const continues: Decision = { decision: 'continue' };

export class LivenessSessions {
  constructor(private readonly services: SessionServices) {}

  /** @throws ApiError NOT_FOUND or SERVICE_UNAVAILABLE */
  async find({ accountId, sessionId }: SessionAddress): Promise<Session> {
    return this.opened(await this.record(accountId, sessionId));
  }

  /** The reference image; undefined if the session has none or has ended. */
  async readReference(session: Session): Promise<Buffer | undefined> {
    const sealed = await this.services.store.findReference(addressOf(session));
    return sealed && this.services.seals.openReference(session, sealed);
  }

  /**
   * Starts a session when the user opens the verification URL. Only the first start causes an event. A synchronous webhook
   * may reject it, which cancels the session; until it decides, every start asks again with the id of the same event.
   * @throws ApiError NOT_FOUND, PERMISSION_DENIED, SESSION_EXPIRED, SESSION_STATE_CONFLICT or SERVICE_UNAVAILABLE
   */
  async start(address: SessionAddress) {
    const { store, accounts } = this.services;
    const account = await accounts.findAccount(address.accountId);
    if (account.suspended) throw new ApiError('PERMISSION_DENIED', { reason: 'account' });
    const eventId = newEventId();
    const started = await this.changedOrExpired(address, store.start(address, eventId));
    const { status } = started.session;
    if (isFinal(status)) throw conflictOf(status, 'attempt');
    const { undecided } = started.session;
    const decision =
      undecided === undefined
        ? continues
        : await this.announce('session.started', started.session, undecided);
    if (undecided !== undefined && decision.decision !== 'reject')
      await store.clearUndecided(address, this.sealedRedirect(started.session, decision));
    if (started.session.leaveAt !== undefined) await store.rejoin(address);
    const session =
      decision.decision === 'reject' ? (await this.cancel(address)).session : this.opened(started.session);
    const { redirectUrl = session.redirectUrl } = decision;
    return {
      session,
      branding: brandingOf(account),
      notice: noticeOf(account),
      ...(redirectUrl !== undefined && { redirectUrl }),
    };
  }

  /**
   * Cancels a session that has not ended; ended sessions keep their status.
   * @throws ApiError NOT_FOUND, SESSION_STATE_CONFLICT during a check, or SERVICE_UNAVAILABLE
   */
  async cancel(address: SessionAddress): Promise<{ readonly session: Session; readonly changed: boolean }> {
    const { store } = this.services;
    const { changed, session } = await this.changedOrExpired(address, store.cancel(address, newEventId()));
    if (session.status === 'checking') throw conflictOf(session.status, 'attempt');
    if (changed) this.ended(address, 'cancelled');
    return { changed, session: this.opened(session) };
  }

  /**
   * Cancels a session that must not have ended in any other way.
   * @throws ApiError as `cancel`, and SESSION_STATE_CONFLICT if the session has ended otherwise
   */
  async cancelOpen(address: SessionAddress): Promise<{ readonly session: Session }> {
    const { session } = await this.cancel(address);
    if (session.status !== 'cancelled') throw endedAs(session.status);
    return { session };
  }

  /**
   * Records that the page was closed or reloads. Unless the user returns soon, the session is cancelled.
   * @throws ApiError NOT_FOUND or SERVICE_UNAVAILABLE
   */
  async leave(address: SessionAddress): Promise<Session> {
    const left = this.services.store.leave(address, 1_000 * limits.liveness.leaveGraceSeconds);
    return this.opened((await this.changedOrExpired(address, left)).session);
  }

  /** @returns whether this call cancelled the abandoned session. */
  async abandon(address: SessionAddress): Promise<boolean> {
    const abandoned = await this.services.store.abandon(address, newEventId());
    if (abandoned?.changed) this.ended(address, 'cancelled');
    return abandoned?.changed ?? false;
  }

  /** @returns whether this call expired the session. */
  async expire(address: SessionAddress): Promise<boolean> {
    return (await this.expired(address))?.changed ?? false;
  }

  /** Finishes an erasure that was cut off, whose session cannot be found anymore. @throws ApiError SERVICE_UNAVAILABLE */
  async resumeErasure(address: SessionAddress): Promise<void> {
    if (isSessionId(address.sessionId)) await this.services.store.resumeErasure(address);
  }

  /** @throws ApiError NOT_FOUND, SESSION_STATE_CONFLICT during a check, or SERVICE_UNAVAILABLE */
  async erase(address: SessionAddress): Promise<void> {
    if (!isSessionId(address.sessionId)) throw sessionGone();
    const { erased, status } = present(await this.services.store.erase(address, newEventId()));
    if (!erased) throw conflictOf(status, 'attempt');
    if (!isFinal(status)) this.ended(address, 'cancelled');
  }

  /**
   * Ends the session with a verdict, counts its unit and announces the event.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  async finish(judgment: Parameters<SessionStore['finish']>[0]): Promise<Finished | undefined> {
    const ended = await this.services.store.finish(judgment);
    if (!ended?.changed) return ended;
    const { status, eventId } = judgment;
    // A customer's test that requests an outcome says nothing about users.
    if (ended.session.stepMs === undefined) this.services.observer.ended(status);
    const decision = await this.announce(`session.${status}`, ended.session, eventId);
    const { redirectUrl } = decision;
    if (redirectUrl === undefined) return ended;
    // Only a repeated call needs the stored address; this one returns it in any case.
    const redirect = this.sealedRedirect(ended.session, decision);
    await this.services.store.clearUndecided(addressOf(ended.session), redirect).catch(() => {});
    return { ...ended, redirectUrl };
  }

  /**
   * Newest first. A page may be shorter than its limit and still have a next one.
   * @param page.metadata `name:value` of a field. The search opens the sessions one by one, because an index in the store
   *   would reveal which sessions share a value.
   */
  async list(
    accountId: string,
    { metadata, ...page }: PageOf & SessionFilter & { readonly metadata?: string },
  ): Promise<Page<Session>> {
    const { store, seals } = this.services;
    const accepts = metadata === undefined ? undefined : hasField(metadata);
    const { items, ...rest } = await store.list(
      accountId,
      page,
      accepts && ((sealed) => accepts(seals.openDetails(sealed))),
    );
    return { items: items.map((record) => this.opened(record)), ...rest };
  }

  private sealedRedirect(record: SessionRecord, { redirectUrl: url }: Decision): string | undefined {
    return url === undefined
      ? undefined
      : this.services.seals.sealRedirect(record, { status: record.status, url });
  }

  private opened(record: SessionRecord): Session {
    return this.services.seals.open(record);
  }

  /** The current session; an overdue one expires first. */
  private async record(accountId: string, id: string): Promise<SessionRecord> {
    const { store, now } = this.services;
    if (!isSessionId(id)) throw sessionGone();
    const address = { accountId, sessionId: id };
    const record = await store.find(address);
    if (!record) throw sessionGone();
    return isOverdue(record, now()) ? present(await this.expired(address)).session : record;
  }

  /** The result of a change. If it was refused because the session is overdue, the session expires first. */
  private async changedOrExpired(
    address: SessionAddress,
    change: Promise<Changed | undefined>,
  ): Promise<Changed> {
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
    this.services.webhooks.events.notify(accountId);
  }

  private async announce(eventType: SessionEventType, session: SessionRecord, eventId: string) {
    const { webhooks } = this.services;
    const { accountId, id: sessionId, mode, startedAt, finishedAt } = session;
    const timestamp = (finishedAt ?? startedAt) as number;
    // First, so that asynchronous endpoints do not wait for synchronous ones.
    webhooks.events.notify(accountId);
    return webhooks.sync.decide({ accountId, eventId, sessionId, eventType, timestamp, mode });
  }
}

/** @param wanted `name:value`; a number or boolean has the value of its JSON. */
function hasField(wanted: string): (details: SessionDetails) => boolean {
  const colon = wanted.indexOf(':');
  const [name, value] = [wanted.slice(0, colon), wanted.slice(colon + 1)];
  return ({ metadata = {} }) => {
    const stored = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    return ['string', 'number', 'boolean'].includes(typeof stored) && String(stored) === value;
  };
}

const waiting: readonly SessionStatus[] = ['created', 'started'];

const isOverdue = ({ status, expiresAt }: SessionRecord, now: number) =>
  waiting.includes(status) && expiresAt <= now;

/** @throws ApiError NOT_FOUND */
function present<T>(session: T | undefined): T {
  if (session === undefined) throw sessionGone();
  return session;
}
