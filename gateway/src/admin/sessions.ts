import type { KeyMode } from '../services/keys/api-key';
import { auditImageView } from '../services/liveness/audit/audit-image-view';
import { eraseSession } from '../services/liveness/audit/erase-session';
import type { Session } from '../services/liveness/session/session';
import { type SessionStatus, statuses } from '../services/liveness/session/states';
import { namedPage } from '../services/pages';
import { isoTime } from '../services/timing/iso-time';
import { account, type Operation, operation, type PageInput, type Property, page } from './operation';

const session: Property = {
  type: 'string',
  pattern: '^ses_[0-9A-Za-z]{24}$',
  description: 'Id of the liveness session',
};

const times = (session: Session) =>
  Object.fromEntries(
    (['createdAt', 'startedAt', 'consentAt', 'finishedAt', 'expiresAt', 'dataExpiresAt'] as const).flatMap(
      (name) => {
        const time = session[name];
        return time === undefined ? [] : [[name, isoTime(time)]];
      },
    ),
  );

/** Contains neither data that the account provided about the user nor measurements of the user. */
const view = (session: Session) => ({
  sessionId: session.id,
  status: session.status,
  mode: session.mode,
  keyId: session.keyId,
  ...times(session),
  ...(session.consentNotice !== undefined && { consentNotice: session.consentNotice }),
  ...(session.consentLocale !== undefined && { consentLocale: session.consentLocale }),
  begunAttempts: session.begun,
  failedAttempts: session.failures,
  hasReference: session.hasReference,
  ...(session.result && { isLive: session.result.isLive }),
  ...(session.match && { isMatch: session.match.isMatch }),
  ...(session.failureReason && { failureReason: session.failureReason }),
});

/** The steps of a session, oldest first, without measurements. */
function timelineOf(session: Session) {
  const { status, finishedAt, failureReason } = session;
  const happened = [
    { at: session.createdAt, event: 'session.created' },
    { at: session.startedAt, event: 'session.started' },
    { at: session.consentAt, event: 'consent' },
    ...session.explanation.map(({ at, attemptId, passed, failureReason: reason, hint }) => ({
      at,
      event: 'attempt',
      attempt: attemptId,
      outcome: passed ? 'passed' : 'failed',
      ...(reason && { reason }),
      ...(hint && { hint }),
    })),
    { at: finishedAt, event: `session.${status}`, ...(failureReason && { reason: failureReason }) },
  ];
  return happened
    .flatMap(({ at, ...entry }) => (at === undefined ? [] : [{ at, ...entry }]))
    .sort((entry, other) => entry.at - other.at)
    .map(({ at, ...entry }) => ({ at: isoTime(at), ...entry }));
}

/** The confidence is a band, and no measurement of the user. */
const shown = (session: Session) => ({
  ...view(session),
  ...(session.result && { confidence: session.result.confidence }),
  minConfidence: session.policy.minConfidence,
  level: session.policy.level,
  timeline: timelineOf(session),
});

const explained = (session: Session) => ({
  ...view(session),
  policy: session.policy,
  ...(session.result && { result: session.result }),
  ...(session.match && { match: session.match }),
  attempts: session.explanation.map(({ at, ...entry }) => ({ ...entry, at: isoTime(at) })),
});

interface Named {
  readonly account: string;
  readonly session: string;
}

export const sessionOperations: readonly Operation[] = [
  operation<{ account: string; status?: SessionStatus; mode?: KeyMode } & PageInput>({
    id: 'sessions list',
    summary: 'Lists the liveness sessions of an account that are kept, newest first',
    http: ['GET', '/accounts/:account/sessions'],
    properties: {
      account,
      status: { type: 'string', enum: statuses, description: 'Only sessions with this status' },
      mode: { type: 'string', enum: ['live', 'test'], description: 'Only sessions of this mode' },
      ...page,
    },
    required: ['account'],
    changes: false,
    run: async ({ keys, sessions }, { account, ...wanted }) => {
      await keys.findAccount(account);
      return namedPage('sessions', await sessions.list(account, wanted), view);
    },
  }),
  operation<Named>({
    id: 'sessions show',
    summary: 'Shows a liveness session and what happened in it, without images and measurements',
    http: ['GET', '/accounts/:account/sessions/:session'],
    properties: { account, session },
    required: ['account', 'session'],
    changes: false,
    shows: 'session',
    run: async ({ sessions }, { account, session }) =>
      shown(await sessions.find({ accountId: account, sessionId: session })),
  }),
  operation<Named>({
    id: 'sessions explain',
    summary: 'Shows the evidence behind the verdicts of a liveness session, without images',
    http: ['GET', '/accounts/:account/sessions/:session/explanation'],
    properties: { account, session },
    required: ['account', 'session'],
    changes: false,
    discloses: true,
    run: async ({ sessions }, { account, session }) =>
      explained(await sessions.find({ accountId: account, sessionId: session })),
  }),
  operation<Named>({
    id: 'sessions audit-image',
    summary: 'Shows the image that a liveness session keeps for review, as a data URI',
    http: ['GET', '/accounts/:account/sessions/:session/audit-image'],
    properties: { account, session },
    required: ['account', 'session'],
    changes: false,
    discloses: true,
    run: async ({ auditImages }, { account, session }) =>
      auditImageView(session, await auditImages.read({ accountId: account, sessionId: session })),
  }),
  operation<Named>({
    id: 'sessions cancel',
    summary: 'Ends a liveness session that has not ended; nothing is charged for it',
    http: ['POST', '/accounts/:account/sessions/:session/cancel'],
    properties: { account, session },
    required: ['account', 'session'],
    changes: true,
    run: async ({ sessions }, { account, session }) =>
      view((await sessions.cancel({ accountId: account, sessionId: session })).session),
  }),
  operation<Named>({
    id: 'sessions erase',
    summary: 'Erases all data of a liveness session, and its image for review',
    http: ['DELETE', '/accounts/:account/sessions/:session'],
    properties: { account, session },
    required: ['account', 'session'],
    changes: true,
    run: async (erasers, { account, session }) => {
      await eraseSession(erasers, { accountId: account, sessionId: session });
      return { sessionId: session, erased: true };
    },
  }),
];
