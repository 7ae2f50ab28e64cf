/** Where the reader is among a page's sections, written to the address, and how the page comes to the one it names. */
import { useEffect, useState } from 'react';
import { hashId } from '../../hash-id';

/** Where a section's heading comes to rest: as far below the top as the sections' scroll margin puts it. */
const HEADER_PX = 80;
const AIR_PX = 20;
const LINE_PX = HEADER_PX + AIR_PX;
/** Fonts and what the page restores have settled by then. */
const ARRIVAL_MS = 100;
/** What a reader who goes elsewhere begins with. */
const INPUTS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/**
 * @param ids of the sections' headings, in order; the same array for as long as the page lives
 * @returns the one that was reached last
 */
export function useSections(ids: readonly string[]): string | undefined {
  const [active, setActive] = useState(ids[0]);

  useEffect(() => {
    let frame = 0;
    let last: string | undefined;
    // On the way to the place that the address names, it keeps its name, unless the reader goes elsewhere.
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
    // The reader may have scrolled before this script was there.
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

/** The last section that begins at this height of the window or above it. A pixel is lost to rounding. */
function sectionAt(ids: readonly string[], height: number): string | undefined {
  return ids.filter((id) => (topOf(id) ?? Number.POSITIVE_INFINITY) <= height + 1).pop();
}

/** A place within a section may be in the address: it stays there while its section is read. */
function sectionOfHash(ids: readonly string[]): string | undefined {
  const top = topOf(hashId(location.hash));
  return top === undefined ? undefined : sectionAt(ids, top);
}

/** Replaces rather than adds, so that Back leaves the page. The router keeps what it stored. */
function writeHash(id: string | undefined) {
  history.replaceState(history.state, '', id ? `#${id}` : location.pathname + location.search);
}

const atEnd = () =>
  window.scrollY > 0 && window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 1;

function scrollToPlace(id: string) {
  const target = document.getElementById(id);
  if (!target) return;
  if (target instanceof HTMLDetailsElement) target.open = true;
  target.scrollIntoView();
}
