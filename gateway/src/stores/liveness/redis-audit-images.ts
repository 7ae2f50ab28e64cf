/** Audit images in Redis. Their keys are stored where the keys of sessions are. */
import type {
  AuditImageStore,
  AuditImageTimes,
  StoredAuditImage,
} from '../../services/liveness/audit/audit-images';
import type { SessionAddress } from '../../services/liveness/session/session-store';
import { LuaScript } from '../lua/script';
import { type RedisClient, unavailable } from '../redis';
import { auditEndsKey, auditHeldKey, auditImageKey, sessionKeys } from './keys';
import type { RedisSessionKeys } from './redis-session-keys';

type Key = 'audit' | 'ends' | 'held';
const keepScript = LuaScript.load<
  Key | 'session',
  'id' | 'image' | 'key' | 'mode' | 'retention' | 'maxBytes'
>('liveness/keep-audit-image');
const eraseScript = LuaScript.load<Key, 'id'>('liveness/erase-audit-image');

export class RedisAuditImages implements AuditImageStore {
  constructor(
    private readonly redis: RedisClient,
    private readonly keys?: RedisSessionKeys,
  ) {}

  async keep(
    address: SessionAddress,
    { image, sealedKey, mode }: Parameters<AuditImageStore['keep']>[1],
    { retentionMs, maxBytes }: Parameters<AuditImageStore['keep']>[2],
  ): Promise<boolean> {
    const { sessionId: id } = address;
    await this.keys?.add(keyId(id), sealedKey, retentionMs);
    const key = this.keys ? '' : sealedKey;
    const args = { id, image, key, mode, retention: retentionMs, maxBytes };
    const keys = { ...keysOf(address), session: sessionKeys(address).session };
    const isKept = (await keepScript.run(this.redis, keys, args).catch(unavailable)) === 1;
    if (!isKept) await this.keys?.discard(keyId(id));
    return isKept;
  }

  async find(address: SessionAddress): Promise<(StoredAuditImage & AuditImageTimes) | undefined> {
    const [fields, key] = await Promise.all([
      this.redis.hgetallBuffer(auditImageKey(address)).catch(unavailable),
      this.keys?.find(keyId(address.sessionId)),
    ]);
    const { image, mode, takenAt, expiresAt } = fields;
    if (!image) return undefined;
    return {
      image,
      sealedKey: key ?? fields.key?.toString(),
      mode: String(mode) as StoredAuditImage['mode'],
      takenAt: Number(takenAt),
      expiresAt: Number(expiresAt),
    };
  }

  /** The key first: without it nothing can be read, and a call that follows a crash still finds the image. */
  async erase(address: SessionAddress): Promise<void> {
    await this.keys?.erase(keyId(address.sessionId));
    await eraseScript.run(this.redis, keysOf(address), { id: address.sessionId }).catch(unavailable);
  }
}

const keyId = (sessionId: string) => `${sessionId}/audit`;

const keysOf = (address: SessionAddress): Record<Key, string> => ({
  audit: auditImageKey(address),
  ends: auditEndsKey(address.accountId),
  held: auditHeldKey(address.accountId),
});
