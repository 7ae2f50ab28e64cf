/**
 * The life of liveness sessions: made by an account's backend, started by the person in front of the camera, ended by a
 * verdict, by either of the two, or by the clock. The store carries out each change in one step; here it is decided
 * which one, what is sealed, and who is told.
 */
import limits from '@presenza/contract/limits.json';
import { AppError } from '../../errors';
import { randomBase62 } from '../base62';
import type { CompareCall, InferenceClient } from '../inference/inference-client';
import type { Account } from '../keys/accounts';
import type { Principal } from '../keys/keys';
import type { Idempotency } from '../metering/metering-store';
import type {
  Decision,
  EventListener,
  SessionDetails,
  SessionReader,
  SyncWebhooks,
} from '../webhooks/events';
import type { AccessTokens } from './access-tokens';
import { brandingOf } from './branding';
import { referenceField, type WantedSession } from './new-session';
import type { SealedParts } from './sealed-parts';
import type { Session, SessionRecord } from './session';
import { noSession, statusConflict } from './session-errors';
import type { Changed, SessionAddress, SessionStore } from './session-store';
import { isFinal, type SessionEventType, type SessionStatus } from './states';

export interface SessionServices {
  readonly store: SessionStore;
  readonly seals: SealedParts;
  readonly tokens: AccessTokens;
  readonly accounts: { findAccount(id: string): Promise<Account> };
  readonly inference: Pick<InferenceClient, 'detect'>;
  readonly webhooks: SyncWebhooks & EventListener;
  readonly settings: SessionSettings;
  readonly now: () => number;
}

export interface SessionSettings {
  /** Address of the hosted page; the access token becomes its fragment. */
  readonly verifyUrl: string;
  readonly lifetimeMs: number;
  /** Attempts that may be judged in a session. */
  readonly attempts: number;
}

/** The `data` of `liveness-response.json`. */
export interface CreatedSession {
  readonly sessionId: string;
  readonly verificationUrl: string;
  readonly accessToken: string;
  readonly sessionExpiresAt: string;
}

export interface CreationCall extends CompareCall {
  /** The metered operation, whose unit the session takes over. */
  readonly operation: string;
  readonly idempotency?: Idempotency | undefined;
  /** As `findRepeated` said. */
  readonly erased?: string | undefined;
}

/** What was made under an idempotency key before: still there, or erased. */
export type Repeated = { readonly created: CreatedSession } | { readonly erased: string };

export interface Finished extends Changed {
  /** Where a synchronous webhook sends the person. */
  readonly redirectUrl?: string;
}

const retentionMs = limits.liveness.dataRetentionSeconds * 1_000;
const { openSessionsPerAccount } = limits.liveness;
const sessionId = /^ses_[0-9A-Za-z]{24}$/;

/** Where nobody was asked. */
const undecided: Decision = { decision: 'continue' };

const newEventId = () => `evt_${randomBase62(22)}`;

export class LivenessSessions implements SessionReader {
  constructor(private readonly services: SessionServices) {}

  /** @throws AppError IDEMPOTENCY_CONFLICT or SERVICE_UNAVAILABLE */
  async findRepeated(
    { accountId, mode }: Principal,
    { key, fingerprint }: Idempotency,
  ): Promise<Repeated | undefined> {
    const { store } = this.services;
    const known = await store.findCreated(accountId, mode, key);
    if (!known) return undefined;
    if (known.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_CONFLICT', { reason: 'mismatch' });
    const record = await store.find({ accountId, sessionId: known.sessionId });
    return record ? { created: this.createdOf(record) } : { erased: known.sessionId };
  }

  /**
   * Makes a session. Its reference picture, where there is one, has to show a face.
   * @throws AppError NO_FACE_DETECTED, RATE_LIMIT_EXCEEDED when too many are open, SERVICE_UNAVAILABLE, or as
   *   `InferenceClient.detect`
   */
  async create(
    { accountId, mode, keyId }: Principal,
    { details, reference }: WantedSession,
    { operation, idempotency, erased, ...call }: CreationCall,
  ): Promise<CreatedSession> {
    const { store, seals, settings } = this.services;
    if (reference) await this.checkReference(reference, call);
    const id = `ses_${randomBase62(24)}`;
    const { lifetimeMs, attempts } = settings;
    const sealed = seals.sealNew({ accountId, id, details, reference });
    const session = { accountId, id, mode, keyId, attempts, lifetimeMs, retentionMs, ...sealed };
    const made = await store.create({
      session,
      operation,
      most: openSessionsPerAccount,
      idempotency,
      erased,
    });
    if (made.outcome === 'created') return this.createdOf(made.session);
    if (made.outcome === 'repeated') return this.createdOf(await this.record(accountId, made.sessionId));
    if (made.outcome === 'full') {
      throw new AppError('RATE_LIMIT_EXCEEDED', { reason: 'openSessions', retryAfterSeconds: 60 });
    }
    // Metering had to decide without the store, which is back by now.
    throw new AppError('SERVICE_UNAVAILABLE', { reason: 'store', retryAfterSeconds: 1 });
  }

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
   * session, which then is cancelled.
   * @throws AppError NOT_FOUND, PERMISSION_DENIED, SESSION_EXPIRED, SESSION_STATE_CONFLICT or SERVICE_UNAVAILABLE
   */
  async start(address: SessionAddress) {
    const { store, accounts } = this.services;
    const account = await accounts.findAccount(address.accountId);
    if (account.suspended) throw new AppError('PERMISSION_DENIED', { reason: 'account' });
    const eventId = newEventId();
    const started = await this.settled(address, store.start(address, eventId));
    const { status } = started.session;
    if (isFinal(status)) throw statusConflict(status);
    const decision = started.changed
      ? await this.tell('session.started', started.session, eventId)
      : undecided;
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
    const { store, webhooks } = this.services;
    const { changed, session } = await this.settled(address, store.cancel(address, newEventId()));
    if (session.status === 'checking') throw statusConflict(session.status);
    if (changed) webhooks.nudge(address.accountId);
    return { changed, session: this.opened(session) };
  }

  /** @returns whether it expired just now. */
  async expire(address: SessionAddress): Promise<boolean> {
    return (await this.expired(address))?.changed ?? false;
  }

  /** @throws AppError NOT_FOUND, SESSION_STATE_CONFLICT while it is judged, or SERVICE_UNAVAILABLE */
  async erase(address: SessionAddress): Promise<void> {
    const { store, webhooks } = this.services;
    if (!sessionId.test(address.sessionId)) throw noSession();
    const erased = await store.erase(address, newEventId());
    if (!erased) throw noSession();
    if (!erased.erased) throw statusConflict(erased.status);
    webhooks.nudge(address.accountId);
  }

  /**
   * Ends the session with a verdict, which counts the unit, and tells of it.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  async finish(judgement: Parameters<SessionStore['finish']>[0]): Promise<Finished | undefined> {
    const ended = await this.services.store.finish(judgement);
    if (!ended?.changed) return ended;
    const { status, eventId } = judgement;
    const { redirectUrl } = await this.tell(`session.${status}`, ended.session, eventId);
    return { ...ended, ...(redirectUrl !== undefined && { redirectUrl }) };
  }

  async readDetails(accountId: string, sessionId: string): Promise<SessionDetails | undefined> {
    const record = await this.services.store.find({ accountId, sessionId });
    if (!record) return undefined;
    const { result, match, metadata } = this.opened(record);
    return { ...(result && { result }), ...(match && { match }), ...(metadata && { metadata }) };
  }

  private createdOf({ accountId, id, expiresAt }: SessionRecord): CreatedSession {
    const { tokens, settings } = this.services;
    const accessToken = tokens.issue({ accountId, sessionId: id, expiresAt });
    return {
      sessionId: id,
      verificationUrl: `${settings.verifyUrl}#${accessToken}`,
      accessToken,
      sessionExpiresAt: new Date(expiresAt).toISOString(),
    };
  }

  private async checkReference(image: Buffer, call: CompareCall): Promise<void> {
    const { faces } = await this.services.inference.detect(image, { ...call, field: referenceField });
    if (faces.length === 0) throw new AppError('NO_FACE_DETECTED', { reason: 'reference' });
  }

  private opened(record: SessionRecord): Session {
    return this.services.seals.open(record);
  }

  /** As it is now: what should have ended by its time ends first. */
  private async record(accountId: string, id: string): Promise<SessionRecord> {
    const { store, now } = this.services;
    if (!sessionId.test(id)) throw noSession();
    const address = { accountId, sessionId: id };
    const record = await store.find(address);
    if (!record) throw noSession();
    return isOverdue(record, now()) ? present(await this.expired(address)).session : record;
  }

  /** The same for a change that was tried: it may have been refused since the session's time has passed. */
  private async settled(address: SessionAddress, change: Promise<Changed | undefined>): Promise<Changed> {
    const tried = present(await change);
    if (tried.changed || !isOverdue(tried.session, this.services.now())) return tried;
    return { changed: false, session: present(await this.expired(address)).session };
  }

  private async expired(address: SessionAddress): Promise<Changed | undefined> {
    const { store, webhooks } = this.services;
    const expired = await store.expire(address, newEventId());
    if (expired?.changed) webhooks.nudge(address.accountId);
    return expired;
  }

  private async tell(eventType: SessionEventType, session: SessionRecord, eventId: string) {
    const { webhooks } = this.services;
    const { accountId, id: sessionId, startedAt, finishedAt } = session;
    const timestamp = (finishedAt ?? startedAt) as number;
    try {
      return await webhooks.decide({ accountId, eventId, sessionId, eventType, timestamp });
    } finally {
      webhooks.nudge(accountId);
    }
  }
}

export const addressOf = ({ accountId, id }: Pick<Session, 'accountId' | 'id'>): SessionAddress => ({
  accountId,
  sessionId: id,
});

const waiting: readonly SessionStatus[] = ['created', 'started'];

const isOverdue = ({ status, expiresAt }: SessionRecord, now: number) =>
  waiting.includes(status) && expiresAt <= now;

/** @throws AppError NOT_FOUND */
function present<T>(found: T | undefined): T {
  if (found === undefined) throw noSession();
  return found;
}
