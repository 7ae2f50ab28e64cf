/** Sessions as the API shows them. */
import limits from '@presenza/contract/limits.json';
import type { Branding } from '../../keys/branding';
import { isoTime } from '../../timing/iso-time';
import type { Session, SessionState } from './session';

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

/** `consent-record.json`; undefined before the user's consent. */
export function consentOf({ consentAt, consentNotice }: Pick<SessionState, 'consentAt' | 'consentNotice'>) {
  if (consentAt === undefined) return undefined;
  return { at: isoTime(consentAt), ...(consentNotice !== undefined && { notice: consentNotice }) };
}

/** The `data` of `liveness-session-response.json` for the account. */
export function accountView(session: Session) {
  const { result, match, metadata } = session;
  const consent = consentOf(session);
  return {
    ...publicView(session),
    ...(result && { result }),
    ...(match && { match }),
    ...(consent && { consent }),
    ...(metadata && { metadata }),
  };
}

interface Started {
  readonly session: Session;
  readonly branding?: Branding | undefined;
  readonly redirectUrl?: string;
}

/** The `data` of `liveness-start-response.json`. */
export function startView({ session, branding, redirectUrl }: Started) {
  const { status, expiresAt, returnUrl, auditImageDays } = session;
  return {
    status,
    sessionExpiresAt: isoTime(expiresAt),
    attemptsLeft: attemptsLeft(session),
    retentionSeconds: limits.liveness.dataRetentionSeconds,
    ...(branding && { branding }),
    ...(auditImageDays !== undefined && { auditImageDays }),
    ...(returnUrl !== undefined && { returnUrl }),
    ...(redirectUrl !== undefined && { redirectUrl }),
  };
}

/** Attempts that may still get a verdict. */
export const attemptsLeft = ({ attempts, failures }: Pick<Session, 'attempts' | 'failures'>): number =>
  Math.max(0, attempts - failures);
