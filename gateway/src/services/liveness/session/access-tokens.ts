/**
 * Access tokens of sessions. A token contains account, session, expiry and mode, sealed, and lets its holder act for the
 * user in that session only. Verifying a token needs no lookup. It starts with the plain id of its session, because the hosted
 * page has only the token and needs the id for its calls.
 */
import type { Vault } from '../../../crypto/vault';
import type { KeyMode } from '../../keys/api-key';
import type { SessionAddress } from './session-store';

export interface SessionToken extends SessionAddress {
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The mode of the key that created the session. Default: live. */
  readonly mode?: KeyMode;
}

/** All tokens are sealed for the same place. */
const place = 'access token';
/** Longer than any issued token. */
const maxLength = 200;

export class AccessTokens {
  constructor(private readonly vault: Vault) {}

  /**
   * The same session always gets the same token, so that a repeated creation gets the response of the first.
   * @returns the session's id, a hyphen, and about 120 characters of base64url.
   */
  issue({ accountId, sessionId, expiresAt, mode }: SessionToken): string {
    const parts = [accountId, sessionId, expiresAt, ...(mode === 'test' ? [mode] : [])];
    const sealed = this.vault.sealAlike(parts.join(' '), place);
    return `${sessionId}-${Buffer.from(sealed, 'base64').toString('base64url')}`;
  }

  /** @returns undefined if this service did not issue the token. The token may have expired. */
  read(token: string): SessionToken | undefined {
    if (token.length > maxLength) return undefined;
    try {
      // Ids contain no hyphen.
      const [openId = ''] = token.split('-', 1);
      const sealed = Buffer.from(token.slice(openId.length + 1), 'base64url').toString('base64');
      const [accountId, sessionId, expiresAt, mode] = this.vault.open(sealed, place).split(' ') as [
        string,
        string,
        string,
        string?,
      ];
      if (openId !== sessionId) return undefined;
      return { accountId, sessionId, expiresAt: Number(expiresAt), mode: mode === 'test' ? mode : 'live' };
    } catch {
      return undefined;
    }
  }
}
