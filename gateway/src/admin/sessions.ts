import { auditImageView } from '../services/liveness/audit/audit-image-view';
import type { Session } from '../services/liveness/session/session';
import { isoTime } from '../services/timing/iso-time';
import { account, type Operation, operation, type Property } from './operation';

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
  operation<{ account: string; limit: number }>({
    words: 'sessions list',
    summary: 'Lists the liveness sessions of an account that are kept, newest first',
    http: ['GET', '/accounts/:account/sessions'],
    properties: {
      account,
      limit: { type: 'integer', minimum: 1, maximum: 500, default: 50, description: 'How many at most' },
    },
    required: ['account'],
    changes: false,
    run: async ({ keys, sessions }, { account, limit }) => {
      await keys.findAccount(account);
      return (await sessions.list(account, { limit })).items.map(view);
    },
  }),
  operation<Named>({
    words: 'sessions show',
    summary: 'Shows where a liveness session stands',
    http: ['GET', '/accounts/:account/sessions/:session'],
    properties: { account, session },
    required: ['account', 'session'],
    changes: false,
    run: async ({ sessions }, { account, session }) =>
      view(await sessions.find({ accountId: account, sessionId: session })),
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
];
