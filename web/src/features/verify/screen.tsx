import { type ReactNode, useEffect, useRef } from 'react';
import * as styles from './screen.module.css';

interface ScreenProps {
  /** Another one is another screen: its heading takes the focus, so that it is read out and Tab goes on from it. */
  name: string;
  heading: string;
  /** Beside the text where there is room, above it where not. */
  figure: ReactNode;
  /** Larger than an emblem. */
  wide?: boolean;
  children: ReactNode;
}

/** What every state of the page but the capture looks like. */
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

/** Not while the page opens: nothing was there before that could have had the focus. */
export function useHeadingFocus(name: string) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (name === 'opening') return;
    title.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [name]);
  return title;
}
