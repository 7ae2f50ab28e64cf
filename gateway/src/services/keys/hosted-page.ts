/** The settings of an account for the hosted page: the controller, another way, and the apps it may return to. */
import type { LivenessAlternative, LivenessController } from '@presenza/contract/client/types.d.ts';
import { OperatorError } from '../../errors';
import { isWebUri } from '../../formats/web-url';
import { isAppScheme } from '../contract/app-uri';
import type { Immutable } from '../contract/immutable';

export interface HostedPage {
  readonly controller?: Immutable<LivenessController>;
  readonly alternative?: Immutable<LivenessAlternative>;
  /** Schemes of apps for `returnUrl`, without the colon. */
  readonly returnSchemes?: readonly string[];
}

/** The notice as the page shows it. */
export const noticeOf = ({ controller, alternative }: HostedPage) => ({
  ...(controller && { controller }),
  ...(alternative && { alternative }),
});

/** @throws OperatorError */
export function checkReturnSchemes(schemes: readonly string[]): void {
  const wrong = schemes.find((scheme) => !isAppScheme(scheme));
  if (wrong === undefined) return;
  throw new OperatorError(
    `"${wrong}" is no scheme of an app: use the id of the app, such as com.example.shop, or letters and digits that end with app, such as myapp`,
  );
}

/** Whether a session may lead to a `returnUrl` that is valid by the contract. */
export const mayReturnTo = (url: string, schemes: readonly string[] = []): boolean =>
  isWebUri(url) || schemes.some((scheme) => url.toLowerCase().startsWith(`${scheme.toLowerCase()}://`));
