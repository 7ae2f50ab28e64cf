/** Audit images in Redis. Their keys are stored where the keys of sessions are. */

import { randomBase62 } from '../../crypto/base62';
import type { KeyMode } from '../../services/keys/api-key';
import type {
  AuditImageStore,
  AuditImageTimes,
  Keeping,
  StoredAuditImage,
} from '../../services/liveness/audit/audit-images';
import type { SessionAddress } from '../../services/liveness/session/session-store';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';
import { auditEndsKey, auditHeldKey, auditImageKey, sessionKeys } from './keys';
import { keysElsewhere, type RedisSessionKeys } from './redis-session-keys';

type Key = 'audit' | 'ends' | 'held';
const keepScript = LuaScript.load<
  Key | 'session',
  'id' | 'attempt' | 'image' | 'keyField' | 'key' | 'mode' | 'retention' | 'maxBytes'
>('liveness/keep-audit-image');
const eraseScript = LuaScript.load<Key, 'id'>('liveness/erase-audit-image');

const keyIdLength = 22;

export class RedisAuditImages implements AuditImageStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly keys?: RedisSessionKeys,
  ) {}

  async keep(
    address: SessionAddress,
    { attemptId, image, sealedKey, mode }: Parameters<AuditImageStore['keep']>[1],
    { retentionMs, maxBytes }: Parameters<AuditImageStore['keep']>[2],
  ): Promise<Keeping> {
    const { sessionId: id } = address;
    // Another check of the same session may keep its image at the same time, and each has a key of its own.
    const keyId = `${id}/audit/${randomBase62(keyIdLength)}`;
    await this.keys?.add(keyId, sealedKey, retentionMs);
    const [keyField, key] = this.keys ? ['keyId', keyId] : ['key', sealedKey];
    const args = { id, attempt: attemptId, image, keyField, key, mode, retention: retentionMs, maxBytes };
    const keys = { ...keysOf(address), session: sessionKeys(address).session };
    const keeping = (await keepScript.run(this.redis, keys, args).catch(unavailable)) as Keeping;
    if (keeping !== 'kept') await this.keys?.discard(keyId);
    return keeping;
  }

  async find(address: SessionAddress): Promise<(StoredAuditImage & AuditImageTimes) | undefined> {
    const fields = await this.redis.hgetallBuffer(auditImageKey(address)).catch(unavailable);
    const { image, key, keyId, mode, takenAt, expiresAt } = fields;
    if (!image) return undefined;
    if (!fields.key && !this.keys) return unavailable(keysElsewhere);
    return {
      image,
      sealedKey: keyId ? await this.keys?.find(String(keyId)) : key?.toString(),
      mode: String(mode) as StoredAuditImage['mode'],
      takenAt: Number(takenAt),
      expiresAt: Number(expiresAt),
    };
  }

  async findMode(address: SessionAddress): Promise<KeyMode | undefined> {
    const mode = await this.redis.hget(auditImageKey(address), 'mode').catch(unavailable);
    return (mode ?? undefined) as KeyMode | undefined;
  }

  /** The key first: without it nothing can be read, and a call that follows a crash still finds the image. */
  async erase(address: SessionAddress): Promise<void> {
    const keyId = await this.redis.hget(auditImageKey(address), 'keyId').catch(unavailable);
    if (keyId && !this.keys) return unavailable(keysElsewhere);
    if (keyId) await this.keys?.erase(keyId);
    await eraseScript.run(this.redis, keysOf(address), { id: address.sessionId }).catch(unavailable);
  }
}

const keysOf = (address: SessionAddress): Record<Key, string> => ({
  audit: auditImageKey(address),
  ends: auditEndsKey(address.accountId),
  held: auditHeldKey(address.accountId),
});
