/** What of the window is needed to leave the site. */
export interface Opener {
  open(url: string, target: string): Pick<Window, 'opener'> | null;
  location: { assign(url: string): void };
}

/** Opens an address in a new tab, or in this one where the browser blocks new ones. */
export function openOutside(url: string, { open, location }: Opener): void {
  // With `noopener` among the features the answer would be null for an opened tab as well.
  const tab = open(url, '_blank');
  if (tab) tab.opener = null;
  else location.assign(url);
}
