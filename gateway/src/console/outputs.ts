/** The data of the console's responses, by the name of the call. Operators' operations have the same for operators. */
import { statuses } from '../services/liveness/session/states';
import { planTiers, productGroups } from '../services/plans/terms';
import { roles } from '../services/rights/roles';
import { billingOutputs } from './billing-outputs';
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
  orNull,
  pageOf,
  string,
  time,
} from './schema';

const role = oneOf(roles);
const plan = oneOf(planTiers);
const mode = contract('key-mode');
const sent = object({ sent: done });
const signedIn = object({ userId: string });
const passkeyOptions = object({ ticket: string, options: anything });
const receipt = object({ receipt: object({ number: string, at: time, erased: mapOf(count) }) });
const perGroup = (value: Output) => object(Object.fromEntries(productGroups.map((group) => [group, value])));
const burst = object({ limit: count, windowSeconds: count });

const account = {
  ...{ accountId: string, name: string, plan, suspended: boolean, apiVersion: string, createdAt: time },
  'requestedPlan?': plan,
  'plannedPlan?': object({ plan, takesEffect: time }),
  'paysByStripe?': boolean,
  'overrides?': anything,
  'branding?': contract('liveness-branding'),
  'controller?': contract('liveness-controller'),
  'alternative?': contract('liveness-alternative'),
  'returnSchemes?': listOf(string),
  'livenessPolicy?': contract('liveness-policy'),
  'origins?': listOf(string),
  'auditImages?': object({ days: count }),
};
const terms = object({
  ...{ quota: perGroup(count), overage: orNull(perGroup(number)), burst, concurrency: count },
  sessionBytes: count,
});
const profile = object({
  ...{ userId: string, email: string, hasPassword: boolean, hasOneTimePasswords: boolean },
  ...{ recoveryCodesLeft: count, isRecent: boolean, isTwoFactor: boolean, isOperator: boolean },
  accounts: listOf(object({ accountId: string, name: string, plan, role })),
  passkeys: listOf(object({ passkeyId: string, name: string, addedAt: time, 'usedAt?': time })),
});
const category = { name: string, examples: count };
const session = {
  ...{ sessionId: string, status: oneOf(statuses), mode, keyId: string, createdAt: time, expiresAt: time },
  ...{ dataExpiresAt: time, begunAttempts: count, failedAttempts: count, hasReference: boolean },
  ...{ 'startedAt?': time, 'consentAt?': time, 'finishedAt?': time },
  ...{ 'consentNotice?': string, 'consentLocale?': string },
};
const reason = { 'reason?': contract('liveness-failure-reason') };
const step = object({ at: time, event: string, 'attempt?': string, 'outcome?': string, ...reason });
const person = object({ userId: string, email: string });
const entry = {
  ...{ actor: string, operation: string, outcome: string },
  ...{ 'ids?': mapOf(string), 'changes?': anything },
};
/** Unlike the contract's, it may receive events of usage, and an event of usage has no session. */
const endpoint = {
  ...{ webhookId: string, url: string, events: listOf(string), mode: string, type: string, createdAt: time },
  ...{ 'onFailure?': string, 'earlierSecretsSignUntil?': listOf(time) },
  'disabledAt?': time,
  'disabledBecause?': string,
  'createdByKey?': string,
};
const result = { 'status?': count, 'failure?': string };
const delivery = {
  ...{ deliveryId: string, webhookId: string, eventId: string, eventType: string, timestamp: time },
  ...{
    state: contract('webhook-delivery-state'),
    attempts: count,
    'sessionId?': string,
    'livemode?': boolean,
  },
  ...{ ...result, 'tookMs?': count, 'lastAttemptAt?': time, 'nextAttemptAt?': time, 'usage?': anything },
};
const deliveries = pageOf('deliveries', object(delivery));

export const outputs: Readonly<Record<string, Output>> = {
  ...billingOutputs,
  'sign-up begin': sent,
  'sign-up passkey-options': passkeyOptions,
  'sign-up confirm': signedIn,
  'members join': object({ accountId: string }),
  'sign-in password': object({ 'userId?': string, 'secondFactor?': string }),
  'sign-in code': signedIn,
  'sign-in passkey-options': passkeyOptions,
  'sign-in passkey': signedIn,
  'sign-in end': object({ signedOut: done }),
  'reset begin': sent,
  'reset confirm': object({ changed: done }),
  'profile show': profile,
  'profile erase': receipt,
  'profile set-password': signedIn,
  'profile ask-email': sent,
  'profile set-email': object({ email: string }),
  'profile begin-codes': object({ ticket: string, secret: string, uri: string }),
  'profile add-codes': object({ recoveryCodes: listOf(string) }),
  'profile remove-codes': object({ removed: done }),
  'profile passkey-options': passkeyOptions,
  'profile add-passkey': object({ passkeyId: string }),
  'profile remove-passkey': object({ removed: done }),
  'sign-ins list': object({
    signIns: listOf(object({ signInId: string, startedAt: time, isThis: boolean })),
  }),
  'sign-ins end': object({ ended: done }),
  'sign-ins end-others': object({ ended: done }),
  'invitations list': object({
    invitations: listOf(
      object({ invitationId: string, email: string, role, invitedBy: string, expiresAt: time }),
    ),
  }),
  'invitations withdraw': object({ withdrawn: done }),
  'invitations show': object({ account: string, email: string, role, hasUser: boolean }),
  'invitations passkey-options': passkeyOptions,
  'members list': object({ members: listOf(object({ userId: string, email: string, role })) }),
  'members invite': object({ email: string, role }),
  'members update': object({ userId: string, role }),
  'members remove': object({ removed: done }),
  'members leave': object({ left: done }),
  'former-access list': object({
    people: listOf(
      object({
        userId: string,
        'email?': string,
        'role?': role,
        keys: listOf(object({ keyId: string, 'name?': string, mode, createdAt: time, 'lastUsedAt?': time })),
        webhooks: listOf(object({ webhookId: string, url: string, createdAt: time })),
      }),
    ),
  }),
  'former-access revoke': object({ keys: count, webhooks: count }),
  'settings show': object({
    ...{ brand: string, smtp: boolean, payments: boolean, requestLogDays: count, secondFactor: string },
    passwordLength: object({ least: count, most: count }),
    profile: orNull(profile),
  }),
  'accounts rename': object({ accountId: string, name: string }),
  'accounts erase': receipt,
  'accounts audit': pageOf('entries', object({ at: time, ...entry })),
  'accounts checklist': object({ key: boolean, call: boolean, webhook: boolean, liveness: boolean }),

  'accounts create': object(account),
  'accounts list': pageOf('accounts', object(account)),
  'accounts show': object({ ...account, terms }),
  'accounts update': object(account),
  'plans list': listOf(
    object({
      ...{ plan, name: string, quota: perGroup(count), overage: orNull(perGroup(number)), burst },
      ...{ concurrency: count, sessionBytes: count, allowSyncWebhook: boolean },
    }),
  ),
  'keys list': listOf({ type: 'object', ...contract('api-key'), properties: { lastUsedAt: time } }),
  'keys create': object({ apiKey: string, keyId: string, mode }),
  'keys roll': object({ apiKey: string, keyId: string, oldKeyId: string, oldKeyExpiresAt: time }),
  'keys revoke': contract('api-key'),
  'webhooks list': listOf(object({ ...endpoint, 'urlHidden?': done })),
  'webhooks create': object({ ...endpoint, secret: string }),
  'webhooks update': object(endpoint),
  'webhooks delete': object({ deleted: string }),
  'webhooks roll-secret': object({ ...endpoint, secret: string }),
  'webhooks enable': object(endpoint),
  'webhooks disable': object(endpoint),
  'webhooks deliveries': deliveries,
  'webhooks dead-letters': deliveries,
  'webhooks delivery': object({
    ...delivery,
    request: object({ headers: mapOf(string), payload: orNull(anything) }),
    history: listOf(object({ at: time, tookMs: count, ...result })),
  }),
  'webhooks replay': object({ replayed: count }),
  'webhooks test': object({ delivered: boolean, eventId: string, tookMs: count, ...result }),
  'categories create': object({ ...category, doubtful: listOf(string) }),
  'categories list': listOf(object({ ...category, createdAt: time })),
  'categories delete': object({ deleted: string }),
  'sessions list': pageOf('sessions', object(session)),
  'sessions show': object({ ...session, timeline: listOf(step) }),
  'sessions explain': object({
    ...session,
    ...{ policy: contract('session-policy'), 'result?': anything, 'match?': anything },
    'failureReason?': contract('liveness-failure-reason'),
    attempts: listOf(anything),
  }),
  'sessions audit-image': contract('liveness-audit-image'),
  'sessions cancel': object(session),
  'sessions erase': object({ sessionId: string, erased: done }),
  'usage export': string,
  'usage trim': object({ before: string, removed: count }),
  'requests list': pageOf(
    'requests',
    object({
      ...{ requestId: string, at: time, keyId: string, mode, method: string, path: string },
      ...{ status: count, ms: number, 'code?': string },
    }),
  ),
  'audit list': pageOf('entries', object({ time, 'accountId?': string, ...entry })),
  'mails count': object({ count, 'newestAt?': time }),
  'mails list': object({ mails: listOf(object({ to: string, subject: string, text: string, at: time })) }),
  'operators add': person,
  'operators remove': person,
  'operators list': object({ operators: listOf(person) }),
  'people sign-out': person,
  'people reset-factors': person,
};
