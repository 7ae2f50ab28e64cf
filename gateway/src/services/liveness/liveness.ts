/** Everything about liveness that routes and upkeep use, put together. */
import brand from '@presenza/contract/brand.json';
import { LocalLimiter } from '../metering/local-limiter';
import { Vault } from '../vault';
import { AccessTokens } from './access-tokens';
import { type CreationServices, SessionCreation } from './creation';
import { LockOut, type LockOutStore } from './lock-out';
import { SealedParts } from './sealed-parts';
import { LivenessSessions, type SessionServices } from './sessions';

export interface LivenessServices extends SessionServices, Pick<CreationServices, 'inference' | 'settings'> {
  /** KEY_SECRET. */
  readonly secret: string;
  readonly lockOuts: LockOutStore;
  readonly lockoutMs: number;
  /** Whose pages may make the calls about a session. */
  readonly origins: readonly string[];
}

export interface Liveness {
  readonly creation: SessionCreation;
  readonly sessions: LivenessSessions;
  readonly tokens: AccessTokens;
  readonly lockOut: LockOut;
  /** Bounds the calls about one session. */
  readonly calls: LocalLimiter;
  readonly origins: readonly string[];
  readonly now: () => number;
}

export const sealedParts = (secret: string) =>
  new SealedParts(new Vault(secret, `${brand.slug} liveness session keys`));

export function createLiveness({
  secret,
  lockOuts,
  lockoutMs,
  origins,
  ...services
}: LivenessServices): Liveness {
  const { now } = services;
  const tokens = new AccessTokens(new Vault(secret, `${brand.slug} liveness access tokens`));
  return {
    creation: new SessionCreation({ ...services, tokens }),
    sessions: new LivenessSessions(services),
    tokens,
    lockOut: new LockOut({ store: lockOuts, secret, lockoutMs, now }),
    calls: new LocalLimiter(1),
    origins,
    now,
  };
}
