/** The liveness services that routes use. */
import brand from '@presenza/contract/brand.json';
import { Vault } from '../../crypto/vault';
import type { LocalLimiter } from '../limits/local-limiter';
import type { AuditImages } from './audit/audit-images';
import type { Capture } from './capture/capture';
import type { Lockout } from './capture/lockout';
import { AccessTokens } from './session/access-tokens';
import type { SessionCreation } from './session/creation';
import { SealedParts } from './session/sealed-parts';
import type { LivenessSessions } from './session/sessions';
import type { Checks } from './verdict/checks';

export interface Liveness {
  readonly creation: SessionCreation;
  readonly sessions: LivenessSessions;
  readonly capture: Capture;
  readonly checks: Checks;
  readonly auditImages: AuditImages;
  readonly tokens: AccessTokens;
  readonly lockout: Lockout;
  /** Limits the calls about one session. */
  readonly calls: LocalLimiter;
  /** Origins whose pages may call the session endpoints. */
  readonly origins: readonly string[];
  /** Further origins of one account. */
  readonly originsOfAccount: (accountId: string) => Promise<readonly string[]>;
  readonly now: () => number;
}

/** @param secret KEY_SECRET */
export const sealedParts = (secret: string) =>
  new SealedParts(new Vault(secret, `${brand.slug} liveness session keys`));

/** @param secret KEY_SECRET */
export const auditImageVault = (secret: string) => new Vault(secret, `${brand.slug} audit image keys`);

/** @param secret KEY_SECRET */
export const accessTokens = (secret: string) =>
  new AccessTokens(new Vault(secret, `${brand.slug} liveness access tokens`));
