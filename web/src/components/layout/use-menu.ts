import { type RefObject, useEffect, useState } from 'react';

interface Menu {
  isOpen: boolean;
  toggle(): void;
  close(): void;
}

/**
 * What a button opens and closes. It closes when its links are followed or the visitor goes back, when something
 * outside is used, and by Escape, which gives the focus back to the button.
 * @param container holds the button and what it opens
 */
export function useMenu(
  container: RefObject<HTMLElement | null>,
  button: RefObject<HTMLElement | null>,
): Menu {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);

  useEffect(() => {
    if (!isOpen) return;
    const leave = ({ target }: Event) => {
      if (!container.current?.contains(target as Node)) setOpen(false);
    };
    const closeByKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    const back = () => setOpen(false);
    document.addEventListener('keydown', closeByKey);
    document.addEventListener('focusin', leave);
    document.addEventListener('pointerdown', leave);
    window.addEventListener('popstate', back);
    return () => {
      document.removeEventListener('keydown', closeByKey);
      document.removeEventListener('focusin', leave);
      document.removeEventListener('pointerdown', leave);
      window.removeEventListener('popstate', back);
    };
  }, [isOpen, container, button]);

  return { isOpen, close, toggle: () => setOpen(!isOpen) };
}
