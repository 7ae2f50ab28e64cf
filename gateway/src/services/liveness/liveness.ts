/** Assembles the liveness services for routes and upkeep. */
import brand from '@presenza/contract/brand.json';
import { Vault } from '../../crypto/vault';
import { LocalLimiter } from '../limits/local-limiter';
import { Capture, type CaptureParts } from './capture/capture';
import type { CaptureStore } from './capture/capture-store';
import { Lockout, type LockoutServices, type LockoutStore } from './capture/lockout';
import { AccessTokens } from './session/access-tokens';
import { type CreationServices, SessionCreation } from './session/creation';
import { SealedParts } from './session/sealed-parts';
import { LivenessSessions, type SessionServices } from './session/sessions';
import { type CheckParts, Checks } from './verdict/checks';
import { judge } from './verdict/verdict';

export interface LivenessServices extends SessionServices, Pick<CreationServices, 'settings'> {
  readonly captures: CaptureStore;
  readonly inference: CreationServices['inference'] & CaptureParts['inference'] & CheckParts['inference'];
  readonly observer: SessionServices['observer'] & CaptureParts['observer'] & CheckParts['observer'];
  /** Time limit of a check. */
  readonly checkMs: number;
  /** KEY_SECRET. */
  readonly secret: string;
  readonly lockouts: LockoutStore;
  readonly lockoutPolicy: Pick<LockoutServices, 'failures' | 'windowMs' | 'lockoutMs'>;
  readonly attemptSeconds: number;
  /** Origins whose pages may call the session endpoints. */
  readonly origins: readonly string[];
}

export interface Liveness {
  readonly creation: SessionCreation;
  readonly sessions: LivenessSessions;
  readonly capture: Capture;
  readonly checks: Checks;
  readonly tokens: AccessTokens;
  readonly lockout: Lockout;
  /** Limits the calls about one session. */
  readonly calls: LocalLimiter;
  readonly origins: readonly string[];
  readonly now: () => number;
}

export const sealedParts = (secret: string) =>
  new SealedParts(new Vault(secret, `${brand.slug} liveness session keys`));

export function createLiveness({
  secret,
  lockouts,
  lockoutPolicy,
  origins,
  ...services
}: LivenessServices): Liveness {
  const { now } = services;
  const tokens = new AccessTokens(new Vault(secret, `${brand.slug} liveness access tokens`));
  const sessions = new LivenessSessions(services);
  const lockout = new Lockout({ store: lockouts, secret, ...lockoutPolicy, now });
  return {
    creation: new SessionCreation({ ...services, tokens }),
    sessions,
    capture: new Capture(services),
    checks: new Checks({ ...services, sessions, lockout, judge }),
    tokens,
    lockout,
    calls: new LocalLimiter(1),
    origins,
    now,
  };
}
