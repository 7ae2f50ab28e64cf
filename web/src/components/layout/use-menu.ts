import { type RefObject, useEffect, useState } from 'react';

/**
 * The state of a menu that a button opens and closes. It also closes when the visitor follows a link or goes back,
 * uses something outside of it, or presses Escape, which returns the focus to the button.
 * @param container holds the button and the menu
 */
export function useMenu(container: RefObject<HTMLElement | null>, button: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);

  useEffect(() => {
    if (!isOpen) return;
    const closeOn: Record<string, (event: Event) => unknown> = {
      keydown: (event) => (event as KeyboardEvent).key === 'Escape',
      focusin: ({ target }) => !container.current?.contains(target as Node),
      pointerdown: ({ target }) => !container.current?.contains(target as Node),
      popstate: () => true,
    };
    const onEvent = (event: Event) => {
      if (!closeOn[event.type]?.(event)) return;
      setOpen(false);
      if (event.type === 'keydown') button.current?.focus();
    };
    // Events of the document reach the window.
    for (const type of Object.keys(closeOn)) window.addEventListener(type, onEvent);
    return () => {
      for (const type of Object.keys(closeOn)) window.removeEventListener(type, onEvent);
    };
  }, [isOpen, container, button]);

  return { isOpen, close, toggle: () => setOpen(!isOpen) };
}
