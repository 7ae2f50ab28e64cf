/** The cookie of a sign-in. */
import brand from '@presenza/contract/brand.json';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { signInTimes } from '../services/identity/sign-ins';

export class SignInCookie {
  private readonly isSecure: boolean;
  private readonly name: string;

  /** @param consoleOrigin plain HTTP only on one's own machine, where browsers refuse Secure */
  constructor(consoleOrigin: string) {
    this.isSecure = consoleOrigin.startsWith('https:');
    // RFC 6265bis, 4.1.3.2: no other host and no page of plain HTTP can set a cookie with this prefix.
    this.name = `${this.isSecure ? '__Host-' : ''}${brand.slug}-console`;
  }

  read(req: Request): string | undefined {
    return parseCookie(req.headers.cookie ?? '')[this.name];
  }

  /** @param value null removes the cookie */
  write(res: Response, value: string | null): void {
    const cookie = {
      ...{ name: this.name, value: value ?? '', path: '/', httpOnly: true, secure: this.isSecure },
      ...{ sameSite: 'lax' as const, maxAge: value === null ? 0 : signInTimes.wholeMs / 1_000 },
    };
    res.append('Set-Cookie', stringifySetCookie(cookie));
  }
}
