/** The settings of an account for the hosted page: the controller, another way, and the apps it may return to. */
import type { LivenessAlternative, LivenessController } from '@presenza/contract/client/types.d.ts';
import { Refusal } from '../../errors/refusal';
import type { Immutable } from '../contract/immutable';

export interface HostedPage {
  readonly controller?: Immutable<LivenessController>;
  readonly alternative?: Immutable<LivenessAlternative>;
  /** Schemes of apps for `returnUrl`, without the colon. */
  readonly returnSchemes?: readonly string[];
}

/** As the page shows it. */
export const noticeOf = ({ controller, alternative }: HostedPage) => ({
  ...(controller && { controller }),
  ...(alternative && { alternative }),
});

/** RFC 3986, section 3.1, in lower case. */
const schemeForm = /^[a-z][a-z0-9+.-]{2,31}$/;

/** Browsers and systems give these a meaning of their own: they run scripts, read files, or leave TLS. */
const reserved: readonly string[] = [
  ...['about', 'blob', 'cid', 'content', 'data', 'feed', 'file', 'filesystem', 'ftp', 'ftps', 'geo', 'http'],
  ...['https', 'intent', 'jar', 'javascript', 'mailto', 'market', 'mid', 'resource'],
  ...['search', 'settings', 'sftp', 'shell', 'shortcuts', 'sms', 'ssh', 'tel', 'telnet', 'urn'],
  ...['vbscript', 'view-source', 'ws', 'wss', 'x-callback-url'],
];
const reservedFamilies =
  /^(android-|app-|apple-|chrome|edge|itms|moz-|ms-|opera|prefs|safari|web\+|x-apple|x-web)/;

/** @throws Refusal */
export function checkReturnSchemes(schemes: readonly string[]): void {
  for (const scheme of schemes) {
    if (!schemeForm.test(scheme)) {
      throw new Refusal(
        `"${scheme}" is no scheme of an app: 3 to 32 lower-case letters, digits, dots, dashes and plus signs, such as myapp`,
      );
    }
    if (reserved.includes(scheme) || reservedFamilies.test(scheme)) {
      throw new Refusal(`The scheme ${scheme} belongs to browsers or systems, not to an app`);
    }
  }
}

/** A scheme and visible ASCII without quotes, which no app or page mistakes for markup. */
const appUrl = /^([a-z][a-z0-9+.-]{2,31}):\/\/[\w.~:/?#[\]@!$&()*+,;=%-]*$/;

/** Whether a URL opens an app by one of the schemes. */
export const isAppUrl = (url: string, schemes: readonly string[] = []): boolean => {
  const scheme = appUrl.exec(url)?.[1];
  return scheme !== undefined && schemes.includes(scheme);
};
