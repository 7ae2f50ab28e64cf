/** The part of `window` that this module uses. */
export interface Opener {
  open(url: string, target: string): Pick<Window, 'opener'> | null;
  location: { assign(url: string): void };
}

/** Opens an address in a new tab, or in this tab if the browser blocks popups. */
export function openOutside(url: string, { open, location }: Opener): void {
  // The feature `noopener` is not used, because the result would be null even if the tab opens.
  const tab = open(url, '_blank');
  if (tab) tab.opener = null;
  else location.assign(url);
}
