/** Creates liveness sessions for the backends of accounts. */
import { createHash } from 'node:crypto';
import type { LivenessResponse } from '@presenza/contract/client/types.d.ts';
import limits from '@presenza/contract/limits.json';
import { randomBase62 } from '../../../crypto/base62';
import { ApiError } from '../../../errors';
import type { Immutable } from '../../contract/immutable';
import type { CompareCall, InferenceClient } from '../../inference/inference-client';
import type { Principal } from '../../keys/keys';
import { keyMismatch } from '../../metering/idempotency-conflict';
import type { Idempotency } from '../../metering/metering-store';
import { isoTime } from '../../timing/iso-time';
import type { AccessTokens, SessionToken } from './access-tokens';
import type { SealedParts } from './sealed-parts';
import type { SessionDetails } from './session';
import { sessionBytesExceeded } from './session-errors';
import { referenceField, type SessionRequest } from './session-request';
import type { Creation, SessionStore } from './session-store';

export interface CreationServices {
  readonly store: Pick<SessionStore, 'create' | 'findCreated' | 'nextReturn'>;
  readonly seals: Pick<SealedParts, 'sealNew'>;
  readonly tokens: AccessTokens;
  readonly inference: Pick<InferenceClient, 'detect'>;
  readonly settings: SessionSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface SessionSettings {
  /** URL of the hosted page; the access token becomes its fragment. */
  readonly verifyUrl: string;
  readonly lifetimeMs: number;
  /** Attempts of a session that may get a verdict. */
  readonly maxAttempts: number;
}

export type CreatedSession = Immutable<LivenessResponse['data']>;

export interface CreationCall extends CompareCall, Pick<Creation, 'admissionId' | 'idempotency'> {}

export interface CreationResult {
  readonly data: CreatedSession;
  /** Whether an earlier request with the same idempotency key created the session. */
  readonly isRepeat: boolean;
}

const retentionMs = limits.liveness.dataRetentionSeconds * 1_000;
const { openSessionsPerAccount, testOutcome: pace } = limits.liveness;

export class SessionCreation {
  constructor(private readonly services: CreationServices) {}

  /**
   * The response that created the session of an idempotency key, even if the session has ended or was erased since.
   * @returns undefined if the key has created no session.
   * @throws ApiError IDEMPOTENCY_CONFLICT or SERVICE_UNAVAILABLE
   */
  async findRepeated(
    { accountId, mode }: Principal,
    { key, fingerprint }: Idempotency,
  ): Promise<CreationResult | undefined> {
    const known = await this.services.store.findCreated(accountId, mode, key);
    if (!known) return undefined;
    if (known.fingerprint !== fingerprint) throw keyMismatch();
    return this.resultOf({ accountId, mode, ...known }, true);
  }

  /** Milliseconds until the next open session may return its unit; undefined if no session holds one. */
  async nextReturnMs({ accountId, mode }: Principal): Promise<number | undefined> {
    const at = await this.services.store.nextReturn(accountId, mode);
    return at === undefined ? undefined : at - this.services.now();
  }

  /**
   * Creates a session. The largest face of a reference image must be clear enough to compare.
   * @throws ApiError NO_FACE_DETECTED, RATE_LIMIT_EXCEEDED if the account has too many open sessions or they use too much
   *   memory, SERVICE_UNAVAILABLE, or as `InferenceClient.detect`
   */
  async create(
    { accountId, mode, keyId, terms, auditImageDays }: Principal,
    { details: wanted, reference, auditImage }: SessionRequest,
    { admissionId, idempotency, ...call }: CreationCall,
  ): Promise<CreationResult> {
    const { store, seals, settings } = this.services;
    if (reference) await this.checkReference(reference, { ...call, accountId, mode });
    const id = `ses_${randomBase62(24)}`;
    const { maxAttempts } = settings;
    const details = {
      ...wanted,
      ...(auditImage !== false && auditImageDays !== undefined && { auditImageDays }),
      // Attempts count by it, without reading the image each time.
      ...(reference && { referenceHash: createHash('sha256').update(reference).digest('hex') }),
    };
    const sealed = seals.sealNew({ accountId, id, details, reference });
    const times = { ...paceOf(details.testOutcome, settings.lifetimeMs), retentionMs };
    const session = { accountId, id, mode, keyId, maxAttempts, ...times, ...sealed };
    const bounds = { maxOpen: openSessionsPerAccount, maxBytes: terms.sessionBytes };
    const created = await store.create({ session, admissionId, ...bounds, idempotency });
    switch (created.outcome) {
      case 'created':
        return this.resultOf({ accountId, mode, sessionId: id, expiresAt: created.session.expiresAt }, false);
      case 'repeated':
        return this.resultOf({ accountId, mode, ...created.earlier }, true);
      default:
        throw refusalOf(created.outcome);
    }
  }

  private async checkReference(image: Buffer, call: CompareCall): Promise<void> {
    const { faces } = await this.services.inference.detect(image, { ...call, field: referenceField });
    const [largest] = faces;
    if (largest && largest.isConfirmed !== false) return;
    throw new ApiError('NO_FACE_DETECTED', { reason: 'reference', values: { field: referenceField } });
  }

  /** The data depends on nothing else, so that a repeated request gets the same. */
  private resultOf(token: SessionToken & Pick<Principal, 'mode'>, isRepeat: boolean): CreationResult {
    const { tokens, settings } = this.services;
    const accessToken = tokens.issue(token);
    const data = {
      sessionId: token.sessionId,
      livemode: token.mode === 'live',
      verificationUrl: `${settings.verifyUrl}#${accessToken}`,
      accessToken,
      sessionExpiresAt: isoTime(token.expiresAt),
    };
    return { data, isRepeat };
  }
}

function refusalOf(outcome: 'full' | 'overBytes' | 'unreserved'): ApiError {
  switch (outcome) {
    case 'full':
      return new ApiError('RATE_LIMIT_EXCEEDED', { reason: 'openSessions', retryAfterSeconds: 60 });
    case 'overBytes':
      return sessionBytesExceeded(60);
    case 'unreserved':
      // The store was unavailable during admission, so that the operation has no reservation to take over.
      return new ApiError('SERVICE_UNAVAILABLE', { reason: 'store', retryAfterSeconds: 1 });
  }
}

/** A session that is to expire only waits. With any other test outcome, the sweep moves it on. */
function paceOf(outcome: SessionDetails['testOutcome'], lifetimeMs: number) {
  if (outcome === undefined) return { lifetimeMs };
  if (outcome === 'expired') return { lifetimeMs: Math.min(lifetimeMs, 1_000 * pace.expirySeconds) };
  return { lifetimeMs, stepMs: 1_000 * pace.stepSeconds };
}
