import { useEffect, useState } from 'react';

/** A heading counts as reached once it is in the upper part of the window. */
const UPPER_PART = 0.35;

/** Which of these headings the reader has reached last; none before the first, and none in the built HTML. */
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
