/** Passkeys in the browser (WebAuthn Level 3). The conversions from and to JSON are ours, because older browsers lack them. */
import type { PasskeyOptions, PasskeyResponse } from '@presenza/contract/console/types.d.ts';
import { CallError } from './api';
import { useConsole } from './context';

type OptionsJson = PasskeyOptions['options'];

/** Browsers bind passkeys to a domain, and refuse addresses of the network. */
export const hasPasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(window.location.hostname);

/** Asks the person for a new passkey or for a known one. Both return the response for the API. @throws CallError */
export function usePasskeys() {
  const { passkeyFailed, passkeyKnown } = useConsole().texts.people;
  const asked = async (credential: Promise<Credential | null>) => {
    try {
      return jsonOf((await credential) as PublicKeyCredential);
    } catch (error) {
      // Otherwise the browser does not say whether the person declined or has no passkey.
      const isKnown = error instanceof DOMException && error.name === 'InvalidStateError';
      throw new CallError('PASSKEY_FAILED', isKnown ? passkeyKnown : passkeyFailed);
    }
  };
  return {
    create: ({ options }: PasskeyOptions) =>
      asked(
        navigator.credentials.create({
          publicKey: parsed(options) as unknown as PublicKeyCredentialCreationOptions,
        }),
      ),
    find: ({ options }: PasskeyOptions) =>
      asked(
        navigator.credentials.get({
          publicKey: parsed(options) as unknown as PublicKeyCredentialRequestOptions,
        }),
      ),
  };
}

function parsed({ challenge, user, excludeCredentials, allowCredentials, ...others }: OptionsJson): object {
  const listed = (list: readonly { readonly id: string }[]) =>
    list.map((credential) => ({ ...credential, id: bytesOf(credential.id) }));
  return {
    ...others,
    challenge: bytesOf(challenge),
    ...(user && { user: { ...user, id: bytesOf(user.id) } }),
    ...(excludeCredentials && { excludeCredentials: listed(excludeCredentials) }),
    ...(allowCredentials && { allowCredentials: listed(allowCredentials) }),
  };
}

const responseFields = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
] as const;

function jsonOf(
  credential: PublicKeyCredential,
): PasskeyResponse & { readonly clientExtensionResults: object } {
  const response = credential.response as AuthenticatorResponse &
    Partial<Record<(typeof responseFields)[number], ArrayBuffer | null>> & { getTransports?(): string[] };
  const bytes = responseFields.flatMap((name) => {
    const value = response[name];
    return value ? [[name, textOf(value)]] : [];
  });
  const transports = response.getTransports?.();
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: 'public-key',
    clientExtensionResults: credential.getClientExtensionResults(),
    response: { ...Object.fromEntries(bytes), ...(transports && { transports }) },
  };
}

function bytesOf(base64url: string): Uint8Array {
  const text = atob(base64url.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
