/** Tracks the current section, writes it to the address, and scrolls to the section of the address. */
import { useEffect, useMemo, useState } from 'react';
import { hashId } from '../../hash-id';
import type { TocEntry } from '../docs/toc';

/** The distance of an anchored heading from the top, set by the sections' scroll margin. */
const HEADER_PX = 80;
const AIR_PX = 20;
const LINE_PX = HEADER_PX + AIR_PX;
/** Time for fonts and scroll restoration to settle. */
const ARRIVAL_MS = 100;
/** Events that start a reader's own scrolling. */
const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** The section that was reached last. Sections start at headings of level 2. */
export function useSections(toc: readonly TocEntry[]): string | undefined {
  const ids = useMemo(() => toc.filter(({ level }) => level === 2).map(({ id }) => id), [toc]);
  const [active, setActive] = useState(ids[0]);

  useEffect(() => {
    let frame = 0;
    let last: string | undefined;
    // The address stays unchanged while the page scrolls to its fragment, unless the reader scrolls.
    let isArriving = document.getElementById(hashId(location.hash)) !== null;
    const interrupt = () => {
      isArriving = false;
    };
    const arrival = setTimeout(scrollToPlace, ARRIVAL_MS, hashId(location.hash));
    const update = () => {
      frame = 0;
      const reached = atEnd() ? ids[ids.length - 1] : sectionAt(ids, LINE_PX);
      if (reached === last) return;
      last = reached;
      setActive(reached ?? ids[0]);
      if (sectionOfHash(ids) === reached) isArriving = false;
      else if (!isArriving) writeHash(reached);
    };
    // The reader may have scrolled before this script ran.
    update();
    const onScroll = () => {
      frame ||= requestAnimationFrame(update);
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    for (const input of INPUTS) window.addEventListener(input, interrupt, { passive: true });
    return () => {
      clearTimeout(arrival);
      cancelAnimationFrame(frame);
      window.removeEventListener('scroll', onScroll);
      for (const input of INPUTS) window.removeEventListener(input, interrupt);
    };
  }, [ids]);

  return active;
}

const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top;

/** The last section that starts at or above this height. One pixel of tolerance covers rounding. */
function sectionAt(ids: readonly string[], height: number): string | undefined {
  return ids.filter((id) => (topOf(id) ?? Number.POSITIVE_INFINITY) <= height + 1).pop();
}

/** The section of the address, which may point to an anchor within a section. */
function sectionOfHash(ids: readonly string[]): string | undefined {
  const top = topOf(hashId(location.hash));
  return top === undefined ? undefined : sectionAt(ids, top);
}

/** Replaces the history entry, so that Back leaves the page, and keeps the router's state. */
function writeHash(id: string | undefined) {
  history.replaceState(history.state, '', id ? `#${id}` : location.pathname + location.search);
}

const atEnd = () =>
  window.scrollY > 0 && window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 1;

function scrollToPlace(id: string) {
  const target = document.getElementById(id);
  for (let box = target?.closest('details'); box; box = box.parentElement?.closest('details'))
    box.open = true;
  target?.scrollIntoView();
}
