/**
 * Access tokens of sessions: whose session, which one, and until when, sealed. Whoever holds one may act for the person
 * in front of the camera, in that session alone. Nothing is looked up before a token opens. It begins with the id of
 * its session, in the open: the hosted page has nothing but the token, and needs the id for the paths of its calls.
 */
import type { Vault } from '../../../crypto/vault';
import type { SessionAddress } from './session-store';

export interface SessionToken extends SessionAddress {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** No part of a token's meaning: every token is sealed for the same place, which is the header that it travels in. */
const place = 'access token';
/** Longer than any that is issued. */
const longest = 200;

export class AccessTokens {
  constructor(private readonly vault: Vault) {}

  /** @returns the session's id, a hyphen, and about 120 characters of base64url. */
  issue({ accountId, sessionId, expiresAt }: SessionToken): string {
    const sealed = this.vault.seal(`${accountId} ${sessionId} ${expiresAt}`, place);
    return `${sessionId}-${Buffer.from(sealed, 'base64').toString('base64url')}`;
  }

  /** @returns undefined for what is no token of this service. It may have expired. */
  read(token: string): SessionToken | undefined {
    if (token.length > longest) return undefined;
    try {
      // No id has a hyphen.
      const [openId = ''] = token.split('-', 1);
      const sealed = Buffer.from(token.slice(openId.length + 1), 'base64url').toString('base64');
      const [accountId, sessionId, expiresAt] = this.vault.open(sealed, place).split(' ') as [
        string,
        string,
        string,
      ];
      return openId === sessionId ? { accountId, sessionId, expiresAt: Number(expiresAt) } : undefined;
    } catch {
      return undefined;
    }
  }
}
