/** Passkeys (WebAuthn Level 3). They verify the person (by PIN or biometrics), so they need no second factor. */
import brand from '@presenza/contract/brand.json';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { ConsoleError } from '../../errors';
import type { Identity } from './identity';
import { openInvitation } from './members';
import { linkOf, personOf } from './tickets';
import { newUserId, type Passkey, type User } from './users';

/** The response of an authenticator, with the ticket of its challenge. */
export interface NewPasskey {
  readonly ticket: string;
  readonly response: RegistrationResponseJSON;
  readonly name?: string;
}

const maxNameLength = 64;
const relyingPartyOf = ({ origin }: Identity) => new URL(origin).hostname;

/** Options for the browser of a signed-in person, and the ticket of their challenge. */
export async function optionsToAdd(
  identity: Identity,
  user: User,
): Promise<{ readonly ticket: string; readonly options: object }> {
  const options = await registrationOptions(identity, user);
  const { challenge } = options;
  const ticket = await identity.tickets.issueTo('newPasskey', personOf(user), { challenge }, user.id);
  return { ticket, options };
}

/**
 * The options for a new person with a mailed link.
 * @throws ConsoleError LINK_INVALID, TOO_MANY_ATTEMPTS with this link
 */
export async function optionsByLink(
  identity: Identity,
  kind: 'signUp' | 'invitation',
  secret: string,
): Promise<{ readonly ticket: string; readonly options: object }> {
  const { email } =
    kind === 'signUp' ? await identity.tickets.find(kind, secret) : await openInvitation(identity, secret);
  await identity.limits.countLink(secret);
  const userId = newUserId();
  const options = await registrationOptions(identity, { id: userId, email, passkeys: [] });
  const { challenge } = options;
  const ticket = await identity.tickets.issueTo('firstPasskey', linkOf(secret), { userId, challenge }, email);
  return { ticket, options };
}

const registrationOptions = (identity: Identity, user: Pick<User, 'id' | 'email' | 'passkeys'>) =>
  generateRegistrationOptions({
    rpName: brand.name,
    rpID: relyingPartyOf(identity),
    userName: user.email,
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: user.passkeys.map(({ id }) => ({ id })),
    // Discoverable, because signing in asks for no email address.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });

/** The passkey that a signed-in person adds. @throws ConsoleError LINK_INVALID, PASSKEY_REFUSED */
export async function addedPasskey(identity: Identity, user: User, given: NewPasskey): Promise<Passkey> {
  const { challenge } = await identity.tickets.takeOf('newPasskey', given.ticket, personOf(user));
  return verifiedPasskey(identity, challenge, given);
}

/**
 * The passkey of a new person, and the id that the authenticator stores with it.
 * @param secret of the mailed link
 * @throws ConsoleError LINK_INVALID, PASSKEY_REFUSED
 */
export async function firstPasskey(
  identity: Identity,
  secret: string,
  given: NewPasskey,
): Promise<{ readonly userId: string; readonly passkey: Passkey }> {
  const { userId, challenge } = await identity.tickets.takeOf('firstPasskey', given.ticket, linkOf(secret));
  return { userId, passkey: await verifiedPasskey(identity, challenge, given) };
}

async function verifiedPasskey(
  identity: Identity,
  challenge: string,
  { response, name = 'Passkey' }: NewPasskey,
): Promise<Passkey> {
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: identity.origin,
    expectedRPID: relyingPartyOf(identity),
    requireUserVerification: true,
  }).catch(refuse);
  if (!result.verified) return refuse();
  const { id, publicKey, counter, transports } = result.registrationInfo.credential;
  return {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    ...(transports && { transports }),
    name: name.slice(0, maxNameLength),
    addedAt: identity.now(),
  };
}

export async function optionsToSignIn(
  identity: Identity,
): Promise<{ readonly ticket: string; readonly options: object }> {
  const options = await generateAuthenticationOptions({
    rpID: relyingPartyOf(identity),
    userVerification: 'required',
  });
  const ticket = await identity.tickets.issue('passkey', { challenge: options.challenge });
  return { ticket, options };
}

/** @returns the user whose passkey it is. @throws ConsoleError LINK_INVALID, PASSKEY_REFUSED */
export async function userOfPasskey(
  identity: Identity,
  { ticket, response }: { ticket: string; response: AuthenticationResponseJSON },
): Promise<User> {
  const { challenge } = await identity.tickets.take('passkey', ticket);
  const handle = Buffer.from(response.response?.userHandle ?? '', 'base64url').toString();
  const user = await identity.users.find(handle);
  const known = user?.passkeys.find(({ id }) => id === response.id);
  if (!user || !known) return refuse();
  const { id, publicKey, counter } = known;
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: identity.origin,
    expectedRPID: relyingPartyOf(identity),
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
  }).catch(refuse);
  if (!result.verified) return refuse();
  const used = { counter: result.authenticationInfo.newCounter, usedAt: identity.now() };
  const changed = await identity.users.update(user.id, (now) => ({
    ...now,
    passkeys: now.passkeys.map((passkey) => (passkey.id === id ? { ...passkey, ...used } : passkey)),
  }));
  return typeof changed === 'object' ? changed : refuse();
}

function refuse(): never {
  throw new ConsoleError('PASSKEY_REFUSED');
}
