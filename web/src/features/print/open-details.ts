/**
 * Opens all disclosures while a page prints. The style sheet does that in browsers that know ::details-content (Chrome
 * and Edge 131, Firefox 143, Safari 18.4); this is for older ones.
 */
export function openDetailsForPrint(view: Window & typeof globalThis): void {
  if (view.CSS.supports('selector(::details-content)')) return;
  let closed: readonly HTMLDetailsElement[] = [];
  const setOpen = (isOpen: boolean) => {
    for (const details of closed) details.open = isOpen;
  };
  view.addEventListener('beforeprint', () => {
    closed = [...view.document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
    setOpen(true);
  });
  view.addEventListener('afterprint', () => setOpen(false));
}
