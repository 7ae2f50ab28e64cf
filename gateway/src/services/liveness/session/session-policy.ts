/** The policy of a session: how strictly its attempts are judged, and which devices may begin one. */
import type { SessionPolicy as FullPolicy, LivenessPolicy } from '@presenza/contract/client/types.d.ts';
import type { Immutable } from '../../contract/immutable';

export type SessionPolicy = Immutable<FullPolicy>;
export type Level = SessionPolicy['level'];
export type PolicyRequest = Immutable<LivenessPolicy>;

/** The fields that a level sets, unless a request or an account does. */
const levels: Readonly<Record<SessionPolicy['level'], Omit<SessionPolicy, 'level'>>> = {
  standard: {
    minConfidence: 0.5,
    virtualCameras: 'allow',
    lightChallenge: 'off',
    devices: ['phone', 'tablet', 'desktop'],
  },
  strict: {
    minConfidence: 0.5,
    virtualCameras: 'refuse',
    lightChallenge: 'required',
    devices: ['phone', 'tablet', 'desktop'],
  },
};

/** Each field comes from the request, otherwise from the account, otherwise from the level. */
export function policyOf(request: PolicyRequest = {}, account: PolicyRequest = {}): SessionPolicy {
  const level = request.level ?? account.level ?? 'standard';
  return { level, ...levels[level], ...without(account), ...without(request) };
}

const without = ({ level: _, ...others }: PolicyRequest): Omit<PolicyRequest, 'level'> => others;

/** Applies if neither request nor account gives a policy, and to sessions that were stored without one. */
export const defaultPolicy = policyOf();

export const excludesDevices = ({ devices }: SessionPolicy): boolean =>
  defaultPolicy.devices.some((device) => !devices.includes(device));
