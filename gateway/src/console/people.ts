/** Calls of people about themselves: sign-up, sign-in and profile. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Property } from '../admin/operation';
import { ConsoleError } from '../errors';
import { maxEmailLength } from '../services/identity/email';
import type { Client } from '../services/identity/known-clients';
import { optionsByLink } from '../services/identity/passkeys';
import { passwordLength } from '../services/identity/passwords';
import type { Begun, SignedIn } from '../services/identity/sign-ins';
import { planTiers } from '../services/plans/terms';
import { isoTime } from '../services/timing/iso-time';
import { type Call, type ConsoleServices, call, type Result, text, unrecorded } from './call';
import { permissionsOf } from './permissions';

/** Longer passwords are refused with the reason; this bounds the work. In UTF-16 units, of which a character has two. */
const password = unrecorded('Password', 4 * passwordLength.most);
/** Not recorded, because the audit log must not contain personal data. */
const email = unrecorded('Email address', 2 * maxEmailLength);
const ticket = unrecorded('Secret of the link or of the step before', 64);
const code = unrecorded('Code of the authenticator app, or a recovery code', 32);
const base64url = { type: 'string', maxLength: 16_384 };
/** Everything that WebAuthn's library reads has a type, because the library decodes objects with a length as well. */
export const passkeyResponse: Property = {
  type: 'object',
  required: ['id', 'rawId', 'type', 'response'],
  writeOnly: true,
  description: 'The response of the browser to `navigator.credentials`, as JSON',
  properties: {
    id: base64url,
    rawId: base64url,
    type: { const: 'public-key' },
    response: {
      type: 'object',
      required: ['clientDataJSON'],
      properties: {
        clientDataJSON: base64url,
        attestationObject: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: { ...base64url, type: ['string', 'null'] },
        transports: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 32 } },
      },
    },
  },
};
const passkeyName = text('Name of the passkey', 64);

const sent: Result = { data: { sent: true } };
/** The person has just shown who they are, so their browser and address are known from now on. */
const welcome = async (
  { identity: { clients, signIns } }: Pick<ConsoleServices, 'identity'>,
  { user, cookie, signIn }: Begun,
  client: Client,
  data: object = { userId: user.id },
): Promise<Result> => {
  const [device] = await Promise.all([clients.remember(client, user), signIns.describe(signIn, client)]);
  return { data, cookie, device };
};

/** Ends the sign-in that the browser had before. */
async function entered(
  services: ConsoleServices,
  begun: Begun,
  client: Client,
  earlier: SignedIn | undefined,
  data?: object,
): Promise<Result> {
  if (earlier) await services.identity.signIns.end(earlier.user, earlier.signIn.id);
  return welcome(services, begun, client, data);
}

/** Admits the holder of a mailed link that still works, so often. */
const byLink =
  (kind: 'signUp' | 'reset' | 'invitation') =>
  async ({ identity }: ConsoleServices, { ticket }: { readonly ticket: string }): Promise<void> => {
    await identity.tickets.find(kind, ticket);
    await identity.limits.countLink(ticket);
  };

interface Chosen {
  readonly ticket: string;
  readonly password?: string;
  readonly passkeyTicket?: string;
  readonly passkey?: RegistrationResponseJSON;
  readonly passkeyName?: string;
}
const chosen = { ticket, password, passkeyTicket: ticket, passkey: passkeyResponse, passkeyName };

function credentialIn({ password, passkeyTicket, passkey, passkeyName: name }: Chosen) {
  if (password !== undefined) return { password };
  if (passkeyTicket === undefined || passkey === undefined) return undefined;
  return { passkey: { ticket: passkeyTicket, response: passkey, ...(name !== undefined && { name }) } };
}

async function profileOf({ identity, keys, admin }: ConsoleServices, { user, signIn }: SignedIn) {
  const ids = await identity.members.accountsOf(user.id);
  const accounts = await Promise.all(
    ids.map(async (id) => {
      const [account, role] = await Promise.all([keys.findAccount(id), identity.members.roleOf(id, user.id)]);
      return {
        accountId: id,
        name: account.name,
        plan: account.plan,
        role,
        permissions: permissionsOf(role),
      };
    }),
  );
  return {
    userId: user.id,
    email: user.email,
    accounts,
    hasPassword: user.password !== undefined,
    hasOneTimePasswords: user.oneTimePasswords !== undefined,
    recoveryCodesLeft: user.oneTimePasswords?.recoveryCodes.length ?? 0,
    passkeys: user.passkeys.map(({ id, name, addedAt, usedAt }) => ({
      passkeyId: id,
      name,
      addedAt: isoTime(addedAt),
      ...(usedAt !== undefined && { usedAt: isoTime(usedAt) }),
    })),
    isRecent: identity.signIns.isRecent(signIn),
    isTwoFactor: signIn.isTwoFactor ?? false,
    isOperator: await admin.operators.has(user),
  };
}

export const peopleCalls: readonly Call[] = [
  call<{ email: string; plan?: string }>()({
    id: 'sign-up begin',
    summary: 'Mails a link to confirm the email address',
    http: ['POST', '/sign-up'],
    access: 'anyone',
    changes: false,
    properties: { email, plan: { type: 'string', enum: planTiers, description: 'Plan of the link' } },
    required: ['email'],
    run: async ({ signUp }, wanted, caller) => {
      await signUp.begin(wanted, caller);
      return sent;
    },
  }),
  call<{ ticket: string }>()({
    id: 'sign-up passkey-options',
    summary: 'Options for the passkey of a new user',
    http: ['POST', '/sign-up/passkey-options'],
    access: 'anyone',
    changes: false,
    properties: { ticket },
    run: async ({ identity }, { ticket }) => ({ data: await optionsByLink(identity, 'signUp', ticket) }),
  }),
  call<Chosen>()({
    id: 'sign-up confirm',
    summary: 'Creates the user and an account by the mailed link, and signs in',
    http: ['POST', '/sign-up/confirm'],
    access: 'maybe',
    properties: chosen,
    required: ['ticket'],
    admit: byLink('signUp'),
    run: async (services, input, caller, earlier) => {
      const credential = credentialIn(input);
      if (!credential) throw new ConsoleError('WEAK_PASSWORD');
      const { begun, plan } = await services.signUp.confirm(input.ticket, credential, caller.address);
      const data = { userId: begun.user.id, ...(plan !== undefined && { plan }) };
      return entered(services, begun, caller, earlier, data);
    },
  }),
  call<Chosen>()({
    id: 'members join',
    summary: 'Joins an account by the link of an invitation',
    http: ['POST', '/join'],
    access: 'maybe',
    properties: chosen,
    required: ['ticket'],
    admit: byLink('invitation'),
    run: async (services, input, caller, earlier) => {
      const { signUp } = services;
      const credential = credentialIn(input);
      const { begun, ...data } = await signUp.join(input.ticket, earlier?.user, credential, caller.address);
      return begun ? entered(services, begun, caller, earlier, data) : { data };
    },
  }),
  call<{ email: string; password: string }>()({
    id: 'sign-in password',
    summary: 'Signs in, or asks for the second factor',
    http: ['POST', '/sign-in'],
    access: 'maybe',
    changes: false,
    properties: { email, password },
    run: async (services, given, caller, earlier) => {
      const result = await services.signIn.withPassword(given, caller);
      if ('secondFactor' in result) return { data: { secondFactor: result.secondFactor } };
      return entered(services, result, caller, earlier);
    },
  }),
  call<{ ticket: string; code: string }>()({
    id: 'sign-in code',
    summary: 'Signs in with the second factor',
    http: ['POST', '/sign-in/code'],
    access: 'maybe',
    changes: false,
    properties: { ticket, code },
    run: async (services, given, caller, earlier) =>
      entered(services, await services.signIn.withCode(given, caller), caller, earlier),
  }),
  call()({
    id: 'sign-in passkey-options',
    summary: 'Options for signing in with a passkey',
    http: ['POST', '/sign-in/passkey-options'],
    access: 'anyone',
    changes: false,
    run: async ({ signIn }, _input, caller) => ({ data: await signIn.passkeyOptions(caller) }),
  }),
  call<{ ticket: string; passkey: AuthenticationResponseJSON }>()({
    id: 'sign-in passkey',
    summary: 'Signs in with a passkey',
    http: ['POST', '/sign-in/passkey'],
    access: 'maybe',
    changes: false,
    properties: { ticket, passkey: passkeyResponse },
    run: async (services, { ticket, passkey }, caller, earlier) =>
      entered(services, await services.signIn.withPasskey({ ticket, response: passkey }), caller, earlier),
  }),
  call<{ email: string }>()({
    id: 'reset begin',
    summary: 'Mails a link to choose a new password',
    http: ['POST', '/reset'],
    access: 'anyone',
    changes: false,
    properties: { email },
    run: async ({ signIn }, { email }, caller) => {
      await signIn.forgotten(email, caller);
      return sent;
    },
  }),
  call<{ ticket: string; password: string }>()({
    id: 'reset confirm',
    summary: 'Sets a new password by the mailed link, and signs all devices out',
    http: ['POST', '/reset/confirm'],
    access: 'anyone',
    properties: { ticket, password },
    admit: byLink('reset'),
    run: async ({ signIn, identity }, { ticket, password }, caller) => {
      const user = await signIn.reset(ticket, password, caller.address);
      const device = await identity.clients.remember(caller, user);
      return { data: { changed: true }, cookie: null, device };
    },
  }),
  call()({
    id: 'sign-in end',
    summary: 'Signs out',
    http: ['POST', '/sign-out'],
    access: 'person',
    changes: false,
    run: async ({ identity }, _input, _caller, { user, signIn }) => {
      await identity.signIns.end(user, signIn.id);
      return { data: { signedOut: true }, cookie: null };
    },
  }),
  call()({
    id: 'settings show',
    summary:
      'The settings that pages need before anybody signs in, and the profile of the person who is signed in',
    http: ['GET', '/settings'],
    access: 'maybe',
    run: async (services, _input, _caller, signedIn) => ({
      data: { ...services.settings, profile: signedIn ? await profileOf(services, signedIn) : null },
    }),
  }),
  call()({
    id: 'profile show',
    summary: 'The person who is signed in, with the accounts and the ways to sign in',
    http: ['GET', '/profile'],
    access: 'person',
    run: async (services, _input, _caller, signedIn) => ({ data: await profileOf(services, signedIn) }),
  }),
  call()({
    id: 'profile erase',
    summary: 'Erases the person, and the accounts without another member, and mails a receipt',
    http: ['DELETE', '/profile'],
    access: 'recent',
    // The erasure records itself, without the id of the person.
    changes: false,
    run: async ({ erasure }, _input, _caller, { user }) => ({
      data: { receipt: await erasure.erasePerson(user) },
      cookie: null,
      device: null,
    }),
  }),
  call<{ password: string; currentPassword?: string }>()({
    id: 'profile set-password',
    summary: 'Sets the password and signs all other devices out',
    http: ['POST', '/profile/password'],
    access: 'recent',
    properties: { password, currentPassword: { ...password, description: 'The password until now' } },
    required: ['password'],
    run: async (services, { password, currentPassword: current }, caller, signedIn) => {
      const { profile } = services;
      const begun = await profile.setPassword(signedIn, { current, password }, caller.address);
      return welcome(services, begun, caller);
    },
  }),
  call<{ email: string }>()({
    id: 'profile ask-email',
    summary: 'Mails a link to the new email address',
    http: ['POST', '/profile/email'],
    access: 'recent',
    // An entry would be written after the mail, and its time would reveal whether there is a mail.
    changes: false,
    properties: { email },
    run: async ({ profile }, { email }, _caller, { user }) => {
      await profile.askForEmail(user, email);
      return sent;
    },
  }),
  call<{ ticket: string }>()({
    id: 'profile set-email',
    summary: 'Changes the email address by the mailed link',
    http: ['POST', '/profile/email/confirm'],
    access: 'person',
    properties: { ticket },
    run: async ({ profile }, { ticket }, _caller, { user }) => {
      const { email } = await profile.confirmEmail(user, ticket);
      return { data: { email } };
    },
  }),
  call()({
    id: 'profile begin-codes',
    summary: 'A new secret for an authenticator app',
    http: ['POST', '/profile/codes'],
    access: 'recent',
    changes: false,
    run: async ({ profile }, _input, _caller, { user }) => ({
      data: await profile.beginOneTimePasswords(user),
    }),
  }),
  call<{ ticket: string; code: string }>()({
    id: 'profile add-codes',
    summary:
      'Asks for codes of the app at each sign-in from now on. A first factor signs all other devices out',
    http: ['POST', '/profile/codes/confirm'],
    access: 'recent',
    properties: { ticket, code },
    run: async (services, given, caller, signedIn) => {
      const { profile, identity } = services;
      const { user, recoveryCodes } = await profile.confirmOneTimePasswords(signedIn.user, given);
      const begun = await identity.signIns.renew({ ...signedIn, user }, true);
      return welcome(services, begun, caller, { recoveryCodes });
    },
  }),
  call()({
    id: 'profile remove-codes',
    summary: 'Turns off authenticator codes',
    http: ['DELETE', '/profile/codes'],
    access: 'recent',
    run: async ({ profile }, _input, _caller, { user }) => {
      await profile.removeOneTimePasswords(user);
      return { data: { removed: true } };
    },
  }),
  call()({
    id: 'profile passkey-options',
    summary: 'Options for another passkey',
    http: ['POST', '/profile/passkey-options'],
    access: 'recent',
    changes: false,
    run: async ({ profile }, _input, _caller, { user }) => ({ data: await profile.passkeyOptions(user) }),
  }),
  call<{ ticket: string; passkey: RegistrationResponseJSON; passkeyName?: string }>()({
    id: 'profile add-passkey',
    summary: 'Adds a passkey. A first factor signs all other devices out',
    http: ['POST', '/profile/passkeys'],
    access: 'recent',
    properties: { ticket, passkey: passkeyResponse, passkeyName },
    required: ['ticket', 'passkey'],
    run: async (services, { ticket, passkey, passkeyName: name }, caller, signedIn) => {
      const { profile, identity } = services;
      const given = { ticket, response: passkey, ...(name !== undefined && { name }) };
      const user = await profile.addPasskey(signedIn.user, given);
      const begun = await identity.signIns.renew({ ...signedIn, user }, true);
      return welcome(services, begun, caller, { passkeyId: user.passkeys.at(-1)?.id });
    },
  }),
  call<{ passkeyId: string }>()({
    id: 'profile remove-passkey',
    summary: 'Removes a passkey, except the last way to sign in',
    http: ['DELETE', '/profile/passkeys/:passkeyId'],
    access: 'recent',
    properties: { passkeyId: text('Id of the passkey', 1_400) },
    run: async ({ profile }, { passkeyId }, _caller, { user }) => {
      await profile.removePasskey(user, passkeyId);
      return { data: { removed: true } };
    },
  }),
  call()({
    id: 'sign-ins list',
    summary: 'The browsers that are signed in',
    http: ['GET', '/profile/sign-ins'],
    access: 'person',
    run: async ({ identity }, _input, _caller, { user, signIn: { id: currentId } }) => {
      const signIns = await identity.signIns.list(user);
      const view = signIns.map(({ id, startedAt, usedAt, client }) => ({
        signInId: id,
        startedAt: isoTime(startedAt),
        usedAt: isoTime(usedAt),
        isThis: id === currentId,
        ...client,
      }));
      return { data: { signIns: view } };
    },
  }),
  call<{ signInId: string }>()({
    id: 'sign-ins end',
    summary: 'Signs one browser out',
    http: ['DELETE', '/profile/sign-ins/:signInId'],
    access: 'person',
    recent: true,
    properties: { signInId: text('Id of the sign-in', 64) },
    run: async ({ identity }, { signInId }, _caller, { user }) => {
      await identity.signIns.end(user, signInId);
      return { data: { ended: true } };
    },
  }),
  call()({
    id: 'sign-ins end-others',
    summary: 'Signs all other browsers out',
    http: ['DELETE', '/profile/sign-ins'],
    access: 'person',
    recent: true,
    run: async ({ identity }, _input, _caller, signedIn) => {
      await identity.signIns.endOthers(signedIn);
      return { data: { ended: true } };
    },
  }),
];
