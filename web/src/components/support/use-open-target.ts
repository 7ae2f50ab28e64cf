import { useEffect } from 'react';
import { hashId } from '../../hash-id';

/** Opens the <details> of the address's fragment, initially and when the fragment changes. */
export function useOpenTarget(): void {
  useEffect(() => {
    const open = () => {
      const target = document.getElementById(hashId(window.location.hash));
      if (!(target instanceof HTMLDetailsElement) || target.open) return;
      target.open = true;
      target.scrollIntoView();
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, []);
}
