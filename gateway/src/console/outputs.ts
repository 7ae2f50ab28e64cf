/** The data of the console's responses, by the name of the call. Operators get the same output. */
import { finalStatuses, statuses } from '../services/liveness/session/states';
import { productGroups } from '../services/plans/terms';
import { roles } from '../services/rights/roles';
import { stageNames } from '../services/timing/stages';
import { accountEventIds, eventIds } from '../services/webhooks/events';
import { billingComponents, billingOutputs, plan } from './billing-outputs';
import { passkeyResponse } from './people';
import { permissions } from './permissions';
import {
  anything,
  boolean,
  contract,
  count,
  done,
  listOf,
  mapOf,
  number,
  type Output,
  object,
  oneOf,
  openObject,
  orNull,
  pageSchema,
  string,
  time,
} from './schema';

const role = oneOf(roles);
const permission = oneOf(permissions);
const mode = contract('key-mode');
const sent = object({ sent: done });
const signedIn = object({ userId: string });
const signedUp = object({
  userId: string,
  'plan?': { ...plan, description: 'The plan of the link that led to the sign-up, which the user confirms' },
});
const receipt = object({ number: string, at: time, erased: mapOf(count) });
const erasure = object({ receipt });
const perGroup = (value: Output) => object(Object.fromEntries(productGroups.map((group) => [group, value])));
const partPerGroup = (value: Output) =>
  object(Object.fromEntries(productGroups.map((group) => [`${group}?`, value])));
const burst = object({ limit: count, windowSeconds: count });

const credentials = listOf(openObject({ id: string }));
/** Options for `navigator.credentials`, whose bytes are base64url, with the ticket for the call with its result. */
const passkeyOptions = object({
  ticket: string,
  options: openObject({
    challenge: string,
    'user?': openObject({ id: string }),
    'excludeCredentials?': credentials,
    'allowCredentials?': credentials,
  }),
});

const terms = object({
  quota: perGroup(count),
  overage: orNull(perGroup(number)),
  burst,
  concurrency: count,
  sessionBytes: count,
});
/** Values in place of the plan's. */
const overrides = object({
  'quota?': partPerGroup(count),
  'overage?': partPerGroup(number),
  'burst?': burst,
  'concurrency?': count,
  'sessionBytes?': count,
});
const planTerms = object({
  plan,
  name: string,
  quota: perGroup(count),
  overage: orNull(perGroup(number)),
  burst,
  concurrency: count,
  sessionBytes: count,
  allowSyncWebhook: boolean,
});
const accountFields = {
  accountId: string,
  name: string,
  plan,
  suspended: boolean,
  apiVersion: string,
  createdAt: time,
  'requestedPlan?': plan,
  'plannedPlan?': object({ plan, takesEffect: time }),
  'paysByStripe?': {
    ...boolean,
    description: 'Whether it has a subscription now; absent if it never paid through Stripe',
  },
  'overrides?': overrides,
  'branding?': contract('liveness-branding'),
  'controller?': contract('liveness-controller'),
  'alternative?': contract('liveness-alternative'),
  'returnSchemes?': listOf(string),
  'livenessPolicy?': contract('liveness-policy'),
  'origins?': listOf(string),
  'localWebhooks?': boolean,
  'auditImages?': object({ days: count }),
};
const account = object(accountFields);
const accountWithTerms = object({ ...accountFields, terms });

const passkey = object({ passkeyId: string, name: string, addedAt: time, 'usedAt?': time });
const membership = object({ accountId: string, name: string, plan, role, permissions: listOf(permission) });
const profile = object({
  userId: string,
  email: string,
  hasPassword: boolean,
  hasOneTimePasswords: boolean,
  recoveryCodesLeft: count,
  isRecent: { ...boolean, description: 'Whether the person signed in within the last minutes' },
  isTwoFactor: { ...boolean, description: 'Whether that sign-in used a passkey or a second factor' },
  isOperator: boolean,
  accounts: listOf(membership),
  passkeys: listOf(passkey),
});
const settings = object({
  brand: string,
  smtp: {
    ...boolean,
    description: 'Whether a mail server is configured. Otherwise, operators read the mails',
  },
  payments: boolean,
  selfServicePlans: {
    ...boolean,
    description: 'Whether a higher plan takes effect at once, without a payment and without the operator',
  },
  requestLogDays: count,
  secondFactor: string,
  passwordLength: object({ least: count, most: count }),
  profile: orNull(profile),
});
const authenticatorSetup = object({ ticket: string, secret: string, uri: string });
const signIn = object({
  signInId: string,
  startedAt: time,
  usedAt: { ...time, description: 'Time of the last call' },
  isThis: boolean,
  'browser?': string,
  'system?': string,
  'network?': { ...string, description: 'The network of the client, not its address' },
});
const person = object({ userId: string, email: string });
const member = object({ userId: string, email: string, role });
const invitation = object({ invitationId: string, email: string, role, invitedBy: string, expiresAt: time });
const openedInvitation = object({ account: string, email: string, role, hasUser: boolean });
/** The email address and the role are absent once the person has left. */
const formerAccess = object({
  userId: string,
  'email?': string,
  'role?': role,
  keys: listOf(object({ keyId: string, 'name?': string, mode, createdAt: time, 'lastUsedAt?': time })),
  webhooks: listOf(object({ webhookId: string, url: string, createdAt: time })),
});
const checklist = object({ key: boolean, call: boolean, webhook: boolean, liveness: boolean });

const entry = {
  actor: { ...string, description: 'The email address of a member, an id, or a word' },
  operation: string,
  outcome: string,
  'ids?': mapOf(string),
  'changes?': anything,
};
const auditEntry = object({ at: time, ...entry });
const operatorAuditEntry = object({ time, 'accountId?': string, ...entry });

const key = { allOf: [contract('api-key'), openObject({ 'lastUsedAt?': time })] };
const createdKey = object({ apiKey: string, keyId: string, mode });
const rolledKey = object({ apiKey: string, keyId: string, oldKeyId: string, oldKeyExpiresAt: time });
const category = { name: string, examples: count };

const sessionStatus = oneOf(statuses);
const sessionFields = {
  sessionId: string,
  status: sessionStatus,
  mode,
  keyId: string,
  createdAt: time,
  expiresAt: time,
  dataExpiresAt: time,
  begunAttempts: count,
  failedAttempts: count,
  hasReference: boolean,
  'startedAt?': time,
  'consentAt?': time,
  'finishedAt?': time,
  'consentNotice?': string,
  'consentLocale?': string,
  'isLive?': boolean,
  'isMatch?': boolean,
  'failureReason?': contract('liveness-failure-reason'),
};
const session = object(sessionFields);
const sessionStep = object({
  at: time,
  event: oneOf([
    'session.created',
    'session.started',
    'consent',
    'attempt',
    ...finalStatuses.map((status) => `session.${status}`),
  ]),
  'attempt?': string,
  'outcome?': oneOf(['passed', 'failed']),
  'reason?': contract('liveness-failure-reason'),
  'hint?': contract('liveness-hint'),
});
const sessionWithTimeline = object({
  ...sessionFields,
  'confidence?': number,
  minConfidence: number,
  level: contract('liveness-level'),
  timeline: listOf(sessionStep),
});

const eventType = oneOf([...eventIds, ...accountEventIds]);
/** Unlike the contract's, it may receive events of usage, and an event of usage has no session. */
const endpointFields = {
  webhookId: string,
  url: string,
  events: listOf(eventType),
  mode: contract('webhook-mode'),
  type: contract('webhook-type'),
  createdAt: time,
  'onFailure?': contract('webhook-failure-policy'),
  'earlierSecretsSignUntil?': listOf(time),
  'disabledAt?': time,
  'disabledBecause?': contract('webhook-disable-reason'),
  'createdByKey?': string,
};
const endpoint = object(endpointFields);
const endpointWithSecret = object({ ...endpointFields, secret: string });
const listedEndpoint = object({
  ...endpointFields,
  'urlHidden?': { ...done, description: 'The URL is only its origin, because the rest may contain a secret' },
});
const result = { 'status?': count, 'failure?': contract('webhook-delivery-failure') };
const deliveryFields = {
  deliveryId: string,
  webhookId: string,
  eventId: string,
  eventType,
  timestamp: time,
  state: contract('webhook-delivery-state'),
  attempts: count,
  'sessionId?': string,
  'livemode?': boolean,
  'decision?': contract('webhook-delivery-decision'),
  ...result,
  'tookMs?': count,
  'lastAttemptAt?': time,
  'nextAttemptAt?': time,
  'usage?': object({
    month: string,
    productGroup: oneOf(productGroups),
    threshold: count,
    used: count,
    quota: count,
  }),
};
const delivery = object(deliveryFields);
const deliveries = pageSchema('deliveries', delivery);
const explainedDelivery = object({
  ...deliveryFields,
  request: object({ headers: mapOf(string), payload: orNull(anything) }),
  history: listOf(object({ at: time, tookMs: count, ...result })),
});
const webhookTest = object({ delivered: boolean, eventId: string, tookMs: count, ...result });

const loggedRequest = object({
  entryId: { ...string, description: 'Id of the entry, which differs even if callers repeat a requestId' },
  requestId: string,
  at: time,
  keyId: string,
  mode,
  method: string,
  path: string,
  status: count,
  ms: number,
  'code?': string,
  'stages?': {
    ...object(Object.fromEntries(stageNames.map((name) => [`${name}?`, number]))),
    description: 'Milliseconds of each stage, as in the header Server-Timing',
  },
  'apiVersion?': string,
  'requestBytes?': count,
  'responseBytes?': count,
});
const hourOfRequests = object({ from: time, succeeded: count, refused: count, failed: count });
const mail = object({ to: string, subject: string, text: string, at: time });

/** The schemas that have a name in the description, and so a type in clients. */
export const components: Readonly<Record<string, Output>> = {
  ...billingComponents,
  Account: account,
  AccountWithTerms: accountWithTerms,
  AuditEntry: auditEntry,
  AuthenticatorSetup: authenticatorSetup,
  Checklist: checklist,
  CreatedKey: createdKey,
  Delivery: delivery,
  Endpoint: endpoint,
  EndpointWithSecret: endpointWithSecret,
  ErasureReceipt: receipt,
  ExplainedDelivery: explainedDelivery,
  FormerAccess: formerAccess,
  Invitation: invitation,
  Key: key,
  ListedEndpoint: listedEndpoint,
  HourOfRequests: hourOfRequests,
  LoggedRequest: loggedRequest,
  Mail: mail,
  Member: member,
  Membership: membership,
  OpenedInvitation: openedInvitation,
  OperatorAuditEntry: operatorAuditEntry,
  Overrides: overrides,
  Passkey: passkey,
  PasskeyOptions: passkeyOptions,
  PasskeyResponse: passkeyResponse,
  Permission: permission,
  Person: person,
  PlanTerms: planTerms,
  Profile: profile,
  Role: role,
  RolledKey: rolledKey,
  Session: session,
  SessionStatus: sessionStatus,
  SessionStep: sessionStep,
  SessionWithTimeline: sessionWithTimeline,
  Settings: settings,
  SignIn: signIn,
  WebhookEventType: eventType,
  WebhookTest: webhookTest,
};

export const outputs: Readonly<Record<string, Output>> = {
  ...billingOutputs,
  'sign-up begin': sent,
  'sign-up passkey-options': passkeyOptions,
  'sign-up confirm': signedUp,
  'members join': object({ accountId: string }),
  'sign-in password': object({ 'userId?': string, 'secondFactor?': string }),
  'sign-in code': signedIn,
  'sign-in passkey-options': passkeyOptions,
  'sign-in passkey': signedIn,
  'sign-in end': object({ signedOut: done }),
  'reset begin': sent,
  'reset confirm': object({ changed: done }),
  'profile show': profile,
  'profile erase': erasure,
  'profile set-password': signedIn,
  'profile ask-email': sent,
  'profile set-email': object({ email: string }),
  'profile begin-codes': authenticatorSetup,
  'profile add-codes': object({ recoveryCodes: listOf(string) }),
  'profile remove-codes': object({ removed: done }),
  'profile passkey-options': passkeyOptions,
  'profile add-passkey': object({ passkeyId: string }),
  'profile remove-passkey': object({ removed: done }),
  'sign-ins list': object({ signIns: listOf(signIn) }),
  'sign-ins end': object({ ended: done }),
  'sign-ins end-others': object({ ended: done }),
  'invitations list': object({ invitations: listOf(invitation) }),
  'invitations withdraw': object({ withdrawn: done }),
  'invitations show': openedInvitation,
  'invitations passkey-options': passkeyOptions,
  'members list': object({ members: listOf(member) }),
  'members invite': object({ email: string, role }),
  'members update': object({ userId: string, role }),
  'members remove': object({ removed: done }),
  'members leave': object({ left: done }),
  'former-access list': object({ people: listOf(formerAccess) }),
  'former-access revoke': object({ keys: count, webhooks: count }),
  'settings show': settings,
  'accounts begin': object({ accountId: string }),
  'accounts rename': object({ accountId: string, name: string }),
  'accounts erase': erasure,
  'accounts audit': pageSchema('entries', auditEntry),
  'accounts checklist': checklist,

  'accounts create': account,
  'accounts list': pageSchema('accounts', account),
  'accounts show': accountWithTerms,
  'accounts update': account,
  'plans list': listOf(planTerms),
  'keys list': listOf(key),
  'keys create': createdKey,
  'keys roll': rolledKey,
  'keys revoke': contract('api-key'),
  'webhooks list': listOf(listedEndpoint),
  'webhooks create': endpointWithSecret,
  'webhooks update': endpoint,
  'webhooks delete': object({ deleted: string }),
  'webhooks roll-secret': endpointWithSecret,
  'webhooks enable': endpoint,
  'webhooks disable': endpoint,
  'webhooks deliveries': deliveries,
  'webhooks dead-letters': deliveries,
  'webhooks delivery': explainedDelivery,
  'webhooks replay': object({ replayed: count }),
  'webhooks test': webhookTest,
  'categories create': object({ ...category, doubtful: listOf(string) }),
  'categories list': listOf(object({ ...category, createdAt: time })),
  'categories delete': object({ deleted: string }),
  'sessions list': pageSchema('sessions', session),
  'sessions show': sessionWithTimeline,
  'sessions explain': object({
    ...sessionFields,
    policy: contract('session-policy'),
    'result?': contract('liveness-result'),
    'match?': contract('match-result'),
    attempts: listOf(anything),
  }),
  'sessions audit-image': contract('liveness-audit-image'),
  'sessions cancel': session,
  'sessions erase': object({ sessionId: string, erased: done }),
  'usage export': string,
  'usage trim': object({ before: string, removed: count }),
  'requests list': object({
    requests: listOf(loggedRequest),
    'next?': string,
    'newest?': { ...string, description: 'The newest entry of the log, from which `since` continues' },
  }),
  'requests show': loggedRequest,
  'requests count': object({ hours: listOf(hourOfRequests) }),
  'requests export': string,
  'audit list': pageSchema('entries', operatorAuditEntry),
  'mails count': object({ count, 'newestAt?': time }),
  'mails list': object({ mails: listOf(mail) }),
  'operators add': person,
  'operators remove': person,
  'operators list': object({ operators: listOf(person) }),
  'incidents create': contract('incident'),
  'incidents schedule': contract('incident'),
  'incidents update': contract('incident'),
  'incidents delete': object({ deleted: string }),
  'incidents list': object({ incidents: listOf(contract('incident')) }),
  'people sign-out': person,
  'people reset-factors': person,
};
