import type { ReactNode } from 'react';

/** A table of running text: it scrolls by itself where the window is too narrow for it. */
export function Table({ children }: { children?: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be within reach of the keyboard.
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
