import { useEffect } from 'react';

const everyMs = 3_000;

/** Calls `act` every few seconds, and when the person comes back, while the page is visible. */
export function useRepeated(act: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const actIfVisible = () => document.visibilityState === 'visible' && act();
    const timer = setInterval(actIfVisible, everyMs);
    document.addEventListener('visibilitychange', actIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', actIfVisible);
    };
  }, [act, isOn]);
}
