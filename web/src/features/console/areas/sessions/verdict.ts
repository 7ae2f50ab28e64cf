/** The verdict of a session in a word, from what the API reports. */
import type { Session } from '@presenza/contract/console/types.d.ts';
import type { Texts } from '../../state/texts';
import { isFinal } from './session-data';

export type Verdict = keyof Texts['sessions']['verdicts'];

export function verdictOf({
  status,
  isLive,
  isMatch,
}: Pick<Session, 'status' | 'isLive' | 'isMatch'>): Verdict {
  if (!isFinal(status)) return 'open';
  if (status === 'failed') return 'failed';
  if (isLive !== true) return 'none';
  if (isMatch === undefined) return 'live';
  return isMatch ? 'match' : 'noMatch';
}

/** The look of each verdict. */
export const verdictLooks: Readonly<Record<Verdict, string>> = {
  live: 'reached',
  match: 'reached',
  noMatch: 'missed',
  failed: 'missed',
  open: 'unmeasured',
  none: 'none',
};
