import { useLocation } from '@gatsbyjs/reach-router';
import { useEffect } from 'react';

/**
 * Begins the task of a page if the address asks for it with `?new`, as the command menu does, and takes that out of the
 * address, so that a reload does not begin it again.
 */
export function useTaskInAddress(begin: () => unknown): void {
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation begins the task once
  useEffect(() => {
    if (!new URLSearchParams(location.search).has('new')) return;
    window.history.replaceState(window.history.state, '', location.pathname);
    begin();
  }, [location]);
}
