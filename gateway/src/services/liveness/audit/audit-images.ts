/**
 * One image of each session for review by a person, if the operator has switched them on for the account. An image has a
 * key and a retention of its own, and outlives the other data of its session.
 */
import limits from '@presenza/contract/limits.json';
import type { Vault } from '../../../crypto/vault';
import { ApiError } from '../../../errors';
import type { KeyMode } from '../../keys/api-key';
import { DataKey } from '../session/data-key';
import type { Session } from '../session/session';
import { addressOf, type SessionAddress } from '../session/session-store';

export interface StoredAuditImage {
  readonly mode: KeyMode;
  /** A JPEG, sealed with the key. */
  readonly image: Buffer;
  /** Sealed with the service's key; undefined once it is erased. */
  readonly sealedKey: string | undefined;
}

export interface AuditImageTimes {
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  readonly expiresAt: number;
}

export interface AuditImage extends AuditImageTimes {
  /** A JPEG. */
  readonly image: Buffer;
}

/**
 * `full`: the account has no room. `late`: the session is in another status, or another check has kept its image, which is
 * the same.
 */
export type Keeping = 'kept' | 'full' | 'late';

/** Observes images for the log and metrics. */
export interface AuditImageObserver {
  auditImage(outcome: Keeping): void;
  /** An image was not kept, because of this error. */
  auditImageFailed(error: Error): void;
}

/** Every method throws ApiError SERVICE_UNAVAILABLE if the store is unavailable. */
export interface AuditImageStore {
  /**
   * Stores the image of a session whose attempt is being checked.
   * @param limit.maxBytes limit on the images of an account.
   */
  keep(
    address: SessionAddress,
    image: StoredAuditImage & { readonly attemptId: string; readonly sealedKey: string },
    limit: { readonly retentionMs: number; readonly maxBytes: number },
  ): Promise<Keeping>;
  /** Reads the mode without the image. */
  findMode(address: SessionAddress): Promise<KeyMode | undefined>;
  find(address: SessionAddress): Promise<(StoredAuditImage & AuditImageTimes) | undefined>;
  /** Erases the image and its key. A repeated call finishes an erasure that was cut off. */
  erase(address: SessionAddress): Promise<void>;
}

export const noAuditImage = (): ApiError => new ApiError('NOT_FOUND', { reason: 'auditImage' });

const { maxBytesPerAccount } = limits.liveness.auditImage;
const dayMs = 24 * 60 * 60 * 1_000;

export class AuditImages {
  constructor(
    private readonly store: AuditImageStore,
    private readonly vault: Vault,
    private readonly observer?: AuditImageObserver,
  ) {}

  /**
   * Keeps the image of a session whose attempt is being checked, if the session's details say so. Without room, or if this
   * fails, the session ends without an image, because a verdict must not depend on it.
   */
  async keep(session: Session, attemptId: string, image: Buffer): Promise<void> {
    const { accountId, id, mode, auditImageDays } = session;
    if (auditImageDays === undefined) return;
    const key = DataKey.create();
    const sealed = {
      attemptId,
      mode,
      image: key.seal(image, `${id}/audit`),
      sealedKey: this.vault.seal(key.toText(), `${accountId}/${id}`),
    };
    const limit = { retentionMs: auditImageDays * dayMs, maxBytes: maxBytesPerAccount };
    await this.store.keep(addressOf(session), sealed, limit).then(
      (keeping) => this.observer?.auditImage(keeping),
      (error: Error) => this.observer?.auditImageFailed(error),
    );
  }

  /**
   * @param mode of the API key; absent for operators.
   * @throws ApiError NOT_FOUND or SERVICE_UNAVAILABLE
   */
  async read(address: SessionAddress, mode?: KeyMode): Promise<AuditImage> {
    const stored = await this.store.find(address);
    if (stored?.sealedKey === undefined || (mode ?? stored.mode) !== stored.mode) {
      throw noAuditImage();
    }
    const { accountId, sessionId } = address;
    const { image, sealedKey, takenAt, expiresAt } = stored;
    const key = DataKey.parse(this.vault.open(sealedKey, `${accountId}/${sessionId}`));
    return { image: key.open(image, `${sessionId}/audit`), takenAt, expiresAt };
  }

  /**
   * @param mode of the API key; absent for people.
   * @returns whether there was an image. @throws ApiError SERVICE_UNAVAILABLE
   */
  async erase(address: SessionAddress, mode?: KeyMode): Promise<boolean> {
    const storedMode = await this.store.findMode(address);
    if (storedMode === undefined || (mode ?? storedMode) !== storedMode) return false;
    await this.store.erase(address);
    return true;
  }
}
