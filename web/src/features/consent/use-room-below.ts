import { type RefObject, useLayoutEffect } from 'react';

/** The style sheet of the banner reads it. */
const PROPERTY = '--room-below';

/**
 * While something is fixed at the bottom of the window, the page gets as much room below its end, and whatever takes
 * the focus is scrolled to where it can be seen. Nothing that is in sight moves.
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
