import { useEffect, useState } from 'react';

/** A flag that clears itself `ms` milliseconds after it was last set. */
export function useBusy(durationMs: number): [boolean, () => void] {
  const [since, setSince] = useState<number>();
  useEffect(() => {
    if (since === undefined) return;
    const timer = setTimeout(() => setSince(undefined), durationMs);
    return () => clearTimeout(timer);
  }, [since, durationMs]);
  return [since !== undefined, () => setSince(performance.now())];
}
