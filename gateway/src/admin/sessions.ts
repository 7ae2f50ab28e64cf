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

const times = (of: Session) =>
  Object.fromEntries(
    (['createdAt', 'startedAt', 'consentAt', 'finishedAt', 'expiresAt', 'dataExpiresAt'] as const).flatMap(
      (name) => {
        const time = of[name];
        return time === undefined ? [] : [[name, isoTime(time)]];
      },
    ),
  );

/** Contains neither data that the account provided about the user nor measurements of the user. */
const view = (of: Session) => ({
  sessionId: of.id,
  status: of.status,
  mode: of.mode,
  keyId: of.keyId,
  ...times(of),
  ...(of.consentNotice !== undefined && { consentNotice: of.consentNotice }),
  ...(of.consentLocale !== undefined && { consentLocale: of.consentLocale }),
  begunAttempts: of.begun,
  failedAttempts: of.failures,
  hasReference: of.hasReference,
});

/** The steps of a session, oldest first, without measurements. */
function timelineOf(of: Session) {
  const { status, finishedAt, failureReason } = of;
  const happened = [
    { at: of.createdAt, event: 'session.created' },
    { at: of.startedAt, event: 'session.started' },
    { at: of.consentAt, event: 'consent' },
    ...of.explanation.map(({ at, attemptId, passed, failureReason: reason }) => ({
      ...{ at, event: 'attempt', attempt: attemptId, outcome: passed ? 'passed' : 'failed' },
      ...(reason && { reason }),
    })),
    { at: finishedAt, event: `session.${status}`, ...(failureReason && { reason: failureReason }) },
  ];
  return happened
    .flatMap(({ at, ...one }) => (at === undefined ? [] : [{ at, ...one }]))
    .sort((one, other) => one.at - other.at)
    .map(({ at, ...one }) => ({ at: isoTime(at), ...one }));
}

const shown = (of: Session) => ({ ...view(of), timeline: timelineOf(of) });

const explained = (of: Session) => ({
  ...view(of),
  policy: of.policy,
  ...(of.failureReason && { failureReason: of.failureReason }),
  ...(of.result && { result: of.result }),
  ...(of.match && { match: of.match }),
  attempts: of.explanation.map(({ at, ...entry }) => ({ ...entry, at: isoTime(at) })),
});

interface Named {
  readonly account: string;
  readonly session: string;
}

export const sessionOperations: readonly Operation[] = [
  operation<{ account: string; status?: SessionStatus; mode?: KeyMode } & PageInput>({
    words: 'sessions list',
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
    words: 'sessions show',
    summary: 'Shows a liveness session and what happened in it, without images and measurements',
    http: ['GET', '/accounts/:account/sessions/:session'],
    properties: { account, session },
    required: ['account', 'session'],
    changes: false,
    run: async ({ sessions }, { account, session }) =>
      shown(await sessions.find({ accountId: account, sessionId: session })),
  }),
  operation<Named>({
    words: 'sessions explain',
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
    words: 'sessions audit-image',
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
    words: 'sessions cancel',
    summary: 'Ends a liveness session that has not ended; nothing is charged for it',
    http: ['POST', '/accounts/:account/sessions/:session/cancel'],
    properties: { account, session },
    required: ['account', 'session'],
    changes: true,
    run: async ({ sessions }, { account, session }) =>
      view((await sessions.cancel({ accountId: account, sessionId: session })).session),
  }),
  operation<Named>({
    words: 'sessions erase',
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
