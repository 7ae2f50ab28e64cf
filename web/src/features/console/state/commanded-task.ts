import { useLocation } from '@gatsbyjs/reach-router';
import { useEffect } from 'react';

/** The state of a navigation that begins the task of a page. A link cannot have it, so no other page begins a task. */
export const commandedTask = { beginsTask: true } as const;

/** Begins the task of a page if the command menu leads to it. A reload does not begin it again. */
export function useCommandedTask(begin: () => unknown): void {
  const location = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation begins the task once
  useEffect(() => {
    // The history knows that a task has begun; the router's copy of its state does not.
    if (!window.history.state?.beginsTask) return;
    window.history.replaceState({ ...window.history.state, beginsTask: false }, '');
    begin();
  }, [location]);
}
