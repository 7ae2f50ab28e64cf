/** Leads from the anchors of the time when the reference was one page to their pages. */
import { navigate } from 'gatsby';
import { useEffect } from 'react';
import { hashId } from '../../hash-id';

/** @param isEntry whether this is the first page, where each old anchor is the id of the link to its place */
export function useMovedAnchors(isEntry: boolean): void {
  useEffect(() => {
    if (!isEntry) return;
    const follow = () => {
      const place = document.getElementById(hashId(location.hash));
      // Back leads to where the reader came from.
      if (place instanceof HTMLAnchorElement) void navigate(place.pathname + place.hash, { replace: true });
    };
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [isEntry]);
}
