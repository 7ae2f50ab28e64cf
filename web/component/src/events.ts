/** The details of the events, which bubble and leave shadow trees. */
export interface LivenessEvents {
  /** The element shows its texts in this language; `title` names a page that only holds the check. */
  'presenza-language': { locale: string; direction: string; title: string };
  /** The session is open, and the person sees the first screen. */
  'presenza-ready': undefined;
  /** A step of a capture begins; `step` counts from 1. */
  'presenza-step': { step: number; steps: number; movement: 'centre' | 'left' | 'right' | 'up' | 'down' };
  /** The session has ended. Only your server learns the result, by webhook or API. */
  'presenza-end': { status: 'completed' | 'failed' | 'cancelled' | 'expired' };
  /** The session cannot continue on this page. */
  'presenza-blocked': {
    reason:
      | 'linkInvalid'
      | 'unsupported'
      | 'otherDevice'
      | 'insecure'
      | 'originNotAllowed'
      | 'usedUp'
      | 'unknown';
  };
}
