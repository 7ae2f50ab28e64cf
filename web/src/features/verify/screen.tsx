import { type ReactNode, useEffect, useRef } from 'react';
import * as styles from './screen.module.css';

interface ScreenProps {
  /**
   * Identifies the screen. The heading of a new screen gets the focus, so that screen readers announce it and Tab
   * continues there.
   */
  name: string;
  heading: string;
  /** Beside the text, or above it on small screens. */
  figure: ReactNode;
  /** Whether the figure is larger than an emblem. */
  wide?: boolean;
  children: ReactNode;
}

/** The layout of all views except the capture. */
export function Screen({ name, heading, figure, wide = false, children }: ScreenProps) {
  const title = useHeadingFocus(name);
  return (
    <div className={styles.screen} data-wide={wide} data-name={name}>
      <div className={styles.figure}>{figure}</div>
      <div className={styles.text}>
        <h1 ref={title} tabIndex={-1}>
          {heading}
        </h1>
        {children}
      </div>
    </div>
  );
}

/** The first screen does not take the focus. */
export function useHeadingFocus(name: string) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (name === 'opening') return;
    title.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [name]);
  return title;
}
