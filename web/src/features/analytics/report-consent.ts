import { browserConsent } from '../consent/browser-consent';
import { track } from './track';

/** Reports each choice of visitors who allow analytics. */
export function reportConsent(): void {
  browserConsent.subscribe(() => {
    const choices = browserConsent.current();
    if (!choices) return;
    track('consent_saved', { analytics: String(choices.analytics), marketing: String(choices.marketing) });
  });
}
