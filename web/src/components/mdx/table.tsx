import type { ReactNode } from 'react';

/** A table in running text, which scrolls if the window is too narrow. */
export function Table({ children }: { children?: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll.
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}
