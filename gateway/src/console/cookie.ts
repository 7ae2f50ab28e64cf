/** The cookies of the console: of a sign-in, and of a device in which somebody has signed in. */
import brand from '@presenza/contract/brand.json';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { deviceCookieMs } from '../services/identity/known-clients';
import { signInTimes } from '../services/identity/sign-ins';

export class ConsoleCookie {
  private readonly isSecure: boolean;
  private readonly name: string;

  /**
   * @param consoleOrigin plain HTTP only on one's own machine, where WebKit stores no Secure cookies
   * @param purpose part of the name. @param maxAgeMs how long the browser keeps it
   */
  private constructor(
    consoleOrigin: string,
    purpose: string,
    private readonly maxAgeMs: number,
  ) {
    this.isSecure = consoleOrigin.startsWith('https:');
    // RFC 6265bis, 4.1.3.2: no other host and no page of plain HTTP can set a cookie with this prefix.
    this.name = `${this.isSecure ? '__Host-' : ''}${brand.slug}-${purpose}`;
  }

  static ofSignIn = (consoleOrigin: string) =>
    new ConsoleCookie(consoleOrigin, 'console', signInTimes.wholeMs);

  static ofDevice = (consoleOrigin: string) => new ConsoleCookie(consoleOrigin, 'device', deviceCookieMs);

  read(req: Request): string | undefined {
    return parseCookie(req.headers.cookie ?? '')[this.name];
  }

  /** @param value null removes the cookie */
  write(res: Response, value: string | null): void {
    const cookie = {
      name: this.name,
      value: value ?? '',
      path: '/',
      httpOnly: true,
      secure: this.isSecure,
      sameSite: 'lax' as const,
      maxAge: value === null ? 0 : this.maxAgeMs / 1_000,
    };
    res.append('Set-Cookie', stringifySetCookie(cookie));
  }
}
