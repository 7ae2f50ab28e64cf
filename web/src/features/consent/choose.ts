import { track } from '../analytics/track';
import { browserConsent } from './browser-consent';
import type { Choices } from './consent';

/** Saves what the visitor chose. Only those who allow analytics are counted as having chosen. */
export function choose(choices: Choices): void {
  browserConsent.save(choices);
  track('consent_saved', { analytics: String(choices.analytics), marketing: String(choices.marketing) });
}

export const chooseAll = () => choose({ analytics: true, marketing: true });
export const chooseNecessary = () => choose({ analytics: false, marketing: false });
