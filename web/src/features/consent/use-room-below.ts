import { type RefObject, useLayoutEffect } from 'react';

/** A custom property for the banner's style sheet. */
const PROPERTY = '--room-below';

/**
 * Reserves room below the page for an element fixed to the bottom of the window, and scrolls focused elements
 * clear of it. Visible content does not move.
 */
export function useRoomBelow(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const measure = () => style.setProperty(PROPERTY, `${element.current?.offsetHeight ?? 0}px`);
    measure();
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('resize', measure);
      style.removeProperty(PROPERTY);
    };
  }, [element]);
}
