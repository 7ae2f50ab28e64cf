import { useEffect, useState } from 'react';

/** The part of the window, from the top, in which a heading counts as reached. */
const UPPER_PART = 0.35;

/** The heading that the reader reached last; undefined before the first one and in the built HTML. */
export function useActiveHeading(headings: readonly { id: string }[]): string | undefined {
  const [active, setActive] = useState<string>();
  useEffect(() => {
    const update = () => {
      const line = window.innerHeight * UPPER_PART;
      const reached = headings.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < line;
      });
      setActive(reached[reached.length - 1]?.id);
    };
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, [headings]);
  return active;
}
