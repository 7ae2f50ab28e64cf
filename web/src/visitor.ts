/**
 * Whether this browser is signed in to the console, as far as the site can know without a call: the console writes an entry
 * of local storage when it reads a profile, and removes it when there is none. The entry holds nothing but that fact. It
 * may be out of date after the sign-in has expired; then a link to the console leads to its page for signing in.
 */
import { type RootChoice, useRootChoice } from './root-choice';

export const VISITOR: RootChoice<'guest' | 'member'> = {
  attribute: 'visitor',
  storageKey: 'visitor',
  values: ['guest', 'member'],
  fallback: 'guest',
};

/** False in the built HTML and while React hydrates it. Style sheets read `data-visitor` of <html>, which is set earlier. */
export const useIsMember = (): boolean => useRootChoice(VISITOR)[0] === 'member';

/** Called by the console with what its API says. */
export function rememberVisitor(isMember: boolean): void {
  const { attribute, storageKey } = VISITOR;
  try {
    if (isMember) localStorage.setItem(storageKey, 'member');
    else localStorage.removeItem(storageKey);
  } catch {
    // Storage is full or denied: the site offers to sign in.
  }
  if (isMember) document.documentElement.dataset[attribute] = 'member';
  else delete document.documentElement.dataset[attribute];
}
