/**
 * Keeps the tabs of a browser on the same person. They share the cookie of the sign-in, so a tab that still showed the
 * former person would make its calls as the present one.
 */
import { useCallback, useEffect, useRef } from 'react';

const channelName = 'console-person';

/**
 * @param onChange called after the person changed in another tab, by a sign-in or a sign-out
 * @returns a function that notifies the other tabs of such a change in this one
 */
export function useOtherTabs(onChange: () => void): () => void {
  const channel = useRef<BroadcastChannel>(undefined);
  useEffect(() => {
    const opened = new BroadcastChannel(channelName);
    opened.onmessage = onChange;
    channel.current = opened;
    return () => opened.close();
  }, [onChange]);
  return useCallback(() => channel.current?.postMessage(null), []);
}
