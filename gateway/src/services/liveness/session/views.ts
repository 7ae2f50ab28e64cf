/** Sessions as the API shows them. */
import limits from '@presenza/contract/limits.json';
import type { Branding } from '../../keys/branding';
import type { HostedPage } from '../../keys/hosted-page';
import { isoTime } from '../../timing/iso-time';
import type { EventDetails } from './events';
import type { Session } from './session';
import { excludesDevices } from './session-policy';
import { isFinal } from './states';

/** The `data` of `liveness-session-response.json`, limited to what the user may see. */
export function publicView({
  id,
  mode,
  status,
  createdAt,
  startedAt,
  finishedAt,
  expiresAt,
  dataExpiresAt,
}: Session) {
  return {
    sessionId: id,
    livemode: mode === 'live',
    status,
    createdAt: isoTime(createdAt),
    ...(startedAt !== undefined && { startedAt: isoTime(startedAt) }),
    ...(finishedAt !== undefined && { finishedAt: isoTime(finishedAt) }),
    sessionExpiresAt: isoTime(expiresAt),
    dataExpiresAt: isoTime(dataExpiresAt),
  };
}

/** Where to send the user afterward. A synchronous webhook may name another page once the session has ended. */
export const returnUrlOf = ({
  status,
  redirectUrl,
  returnUrl,
}: Pick<Session, 'status' | 'redirectUrl' | 'returnUrl'>): string | undefined =>
  isFinal(status) ? (redirectUrl ?? returnUrl) : returnUrl;

/** The same for the page that holds the access token and shows where to go from here. */
export function userView(session: Session) {
  const returnUrl = returnUrlOf(session);
  return { ...publicView(session), ...(returnUrl !== undefined && { returnUrl }) };
}

/** The part of a session that its account sees in its view and in events. */
export function detailsOf(session: Session): EventDetails {
  const { result, match, failureReason, metadata } = session;
  const consent = consentOf(session);
  return {
    ...(result && { result }),
    ...(match && { match }),
    ...(failureReason && { failureReason }),
    ...(consent && { consent }),
    ...(metadata && { metadata }),
  };
}

/** Undefined before the user's consent. */
function consentOf({ consentAt, consentNotice, consentLocale }: Session): EventDetails['consent'] {
  if (consentAt === undefined) return undefined;
  return {
    at: isoTime(consentAt),
    ...(consentNotice !== undefined && { notice: consentNotice }),
    ...(consentLocale !== undefined && { locale: consentLocale }),
  };
}

/** The `data` of `liveness-session-response.json` for the account. */
export const accountView = (session: Session) => ({
  ...publicView(session),
  ...detailsOf(session),
  policy: session.policy,
});

interface Started {
  readonly session: Session;
  readonly branding?: Branding | undefined;
  readonly notice?: Pick<HostedPage, 'controller' | 'alternative'>;
  readonly redirectUrl?: string;
}

/** The `data` of `liveness-start-response.json`. */
export function startView({ session, branding, notice, redirectUrl }: Started) {
  const { status, expiresAt, returnUrl, locale, hasReference, policy, auditImageDays } = session;
  return {
    status,
    sessionExpiresAt: isoTime(expiresAt),
    attemptsLeft: attemptsLeft(session),
    retentionSeconds: limits.liveness.dataRetentionSeconds,
    ...(locale !== undefined && { locale }),
    hasReference,
    ...notice,
    ...(policy.lightChallenge === 'required' && { lightChallenge: policy.lightChallenge }),
    ...(excludesDevices(policy) && { devices: policy.devices }),
    ...(branding && { branding }),
    ...(auditImageDays !== undefined && { auditImageDays }),
    ...(returnUrl !== undefined && { returnUrl }),
    ...(redirectUrl !== undefined && { redirectUrl }),
  };
}

/** Attempts that may still begin. */
export const attemptsLeft = ({
  maxAttempts,
  spent,
  begun,
}: Pick<Session, 'maxAttempts' | 'spent' | 'begun'>): number =>
  Math.max(0, Math.min(maxAttempts - spent, limits.liveness.attemptStartsPerSession - begun));
