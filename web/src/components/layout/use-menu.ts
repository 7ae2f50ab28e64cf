import { type RefObject, useEffect, useState } from 'react';

interface Menu {
  isOpen: boolean;
  toggle(): void;
  close(): void;
}

/**
 * The state of a menu that a button opens and closes. It also closes when the visitor follows a link or goes back,
 * uses something outside of it, or presses Escape, which returns the focus to the button.
 * @param container holds the button and the menu
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
