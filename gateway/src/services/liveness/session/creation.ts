/** Creates liveness sessions for the backends of accounts. */
import type { LivenessResponse } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import { randomBase62 } from '../../../crypto/base62';
import { AppError } from '../../../errors';
import type { Immutable } from '../../contract/immutable';
import type { CompareCall, InferenceClient } from '../../inference/inference-client';
import type { Principal } from '../../keys/keys';
import type { Idempotency } from '../../metering/metering-store';
import type { AccessTokens } from './access-tokens';
import type { SealedParts } from './sealed-parts';
import type { SessionDetails, SessionRecord } from './session';
import { sessionBytesExceeded, sessionGone } from './session-errors';
import { referenceField, type SessionRequest } from './session-request';
import type { Created, Creation, SessionStore } from './session-store';

export interface CreationServices {
  readonly store: Pick<SessionStore, 'create' | 'find' | 'findCreated'>;
  readonly seals: Pick<SealedParts, 'sealNew'>;
  readonly tokens: AccessTokens;
  readonly inference: Pick<InferenceClient, 'detect'>;
  readonly settings: SessionSettings;
}

export interface SessionSettings {
  /** URL of the hosted page; the access token becomes its fragment. */
  readonly verifyUrl: string;
  readonly lifetimeMs: number;
  /** Attempts of a session that may get a verdict. */
  readonly attempts: number;
}

export type CreatedSession = Immutable<LivenessResponse['data']>;

export interface CreationCall extends CompareCall, Pick<Creation, 'operation' | 'idempotency' | 'erased'> {}

/** The earlier session of an idempotency key, which may be erased by now. */
export type Repeated = { readonly created: CreatedSession } | { readonly erased: string };

const retentionMs = limits.liveness.dataRetentionSeconds * 1_000;
const { openSessionsPerAccount, testOutcome: pace } = limits.liveness;

export class SessionCreation {
  constructor(private readonly services: CreationServices) {}

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
    return record ? { created: this.responseOf(record) } : { erased: known.sessionId };
  }

  /**
   * Creates a session. A reference image must show a face.
   * @throws AppError NO_FACE_DETECTED, RATE_LIMIT_EXCEEDED if the account has too many open sessions or they use too much
   *   memory, SERVICE_UNAVAILABLE, or as `InferenceClient.detect`
   */
  async create(
    { accountId, mode, keyId, terms }: Principal,
    { details, reference }: SessionRequest,
    { operation, idempotency, erased, ...call }: CreationCall,
  ): Promise<CreatedSession> {
    const { store, seals, settings } = this.services;
    if (reference) await this.checkReference(reference, { ...call, accountId, mode });
    const id = `ses_${randomBase62(24)}`;
    const { attempts } = settings;
    const sealed = seals.sealNew({ accountId, id, details, reference });
    const times = { ...paceOf(details.testOutcome, settings.lifetimeMs), retentionMs };
    const session = { accountId, id, mode, keyId, attempts, ...times, ...sealed };
    const limits = { maxOpen: openSessionsPerAccount, maxBytes: terms.sessionBytes };
    const created = await store.create({ session, operation, ...limits, idempotency, erased });
    return this.responseOf(await this.recordOf(accountId, created));
  }

  private async checkReference(image: Buffer, call: CompareCall): Promise<void> {
    const { faces } = await this.services.inference.detect(image, { ...call, field: referenceField });
    if (faces.length === 0) throw new AppError('NO_FACE_DETECTED', { reason: 'reference' });
  }

  private async recordOf(accountId: string, created: Created): Promise<SessionRecord> {
    switch (created.outcome) {
      case 'created':
        return created.session;
      case 'repeated': {
        const record = await this.services.store.find({ accountId, sessionId: created.sessionId });
        if (!record) throw sessionGone();
        return record;
      }
      case 'full':
        throw new AppError('RATE_LIMIT_EXCEEDED', { reason: 'openSessions', retryAfterSeconds: 60 });
      case 'overBytes':
        throw sessionBytesExceeded(60);
      case 'unreserved':
        // The store was unavailable during admission, so that the operation has no reservation to take over.
        throw new AppError('SERVICE_UNAVAILABLE', { reason: 'store', retryAfterSeconds: 1 });
    }
  }

  private responseOf({ accountId, id, mode, expiresAt }: SessionRecord): CreatedSession {
    const { tokens, settings } = this.services;
    const accessToken = tokens.issue({ accountId, sessionId: id, expiresAt });
    return {
      sessionId: id,
      livemode: mode === 'live',
      verificationUrl: `${settings.verifyUrl}#${accessToken}`,
      accessToken,
      sessionExpiresAt: new Date(expiresAt).toISOString(),
    };
  }
}

/** A session that is to expire only waits. With any other test outcome, the sweep moves it on. */
function paceOf(outcome: SessionDetails['testOutcome'], lifetimeMs: number) {
  if (outcome === undefined) return { lifetimeMs };
  if (outcome === 'expired') return { lifetimeMs: Math.min(lifetimeMs, 1_000 * pace.expirySeconds) };
  return { lifetimeMs, stepMs: 1_000 * pace.stepSeconds };
}
