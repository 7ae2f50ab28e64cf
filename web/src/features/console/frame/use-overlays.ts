import { useCallback, useEffect, useState } from 'react';

export type Overlays = typeof import('./overlays');

const load = () => import('./overlays');

/**
 * The script with everything that opens above a page. It loads once the page of somebody who is signed in is idle, or when it
 * is needed.
 * @returns the script, undefined until it is there, and a function that loads it
 */
export function useOverlays(isSignedIn: boolean): readonly [Overlays | undefined, () => void] {
  const [overlays, setOverlays] = useState<Overlays>();
  // Without a connection, the next start tries again.
  const start = useCallback(() => void load().then(setOverlays, () => undefined), []);
  useEffect(() => {
    if (!isSignedIn) return;
    // Safari has no idle callback.
    if (!window.requestIdleCallback) {
      const timer = setTimeout(start, 1_000);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(start, { timeout: 2_000 });
    return () => cancelIdleCallback(idle);
  }, [isSignedIn, start]);
  return [overlays, start];
}
