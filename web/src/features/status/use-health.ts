import { useEffect, useState } from 'react';
import type { Day } from './summary';

export interface ComponentHealth {
  readonly component: string;
  readonly available: boolean;
  /** Absent while the service cannot read its records. */
  readonly days?: readonly Day[];
}

export interface Health {
  readonly timestamp: string;
  readonly components: readonly ComponentHealth[];
}

/** Caches keep a response for a minute. */
const RELOAD_MS = 60_000;
const TIMEOUT_MS = 10_000;

/** The health of the service, as its API reports it: null before the first response, and what went wrong instead. */
export function useHealth(): Health | 'unreachable' | null {
  const [health, setHealth] = useState<Health | 'unreachable' | null>(null);
  useEffect(() => {
    let isShown = true;
    const update = async () => {
      const loaded = await loadHealth().catch(() => 'unreachable' as const);
      if (isShown) setHealth(loaded);
    };
    void update();
    const timer = setInterval(update, RELOAD_MS);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, []);
  return health;
}

/** @throws Error if there is no valid response in time */
async function loadHealth(): Promise<Health> {
  const aborting = new AbortController();
  const timer = setTimeout(() => aborting.abort(), TIMEOUT_MS);
  try {
    const { signal } = aborting;
    const { apiUrl } = await readJson<{ apiUrl: string }>('/api-config.json', signal);
    const { data } = await readJson<{ data: Health }>(`${apiUrl}/health/history`, signal);
    if (!Array.isArray(data.components)) throw new Error('The response has no components.');
    return data;
  } finally {
    clearTimeout(timer);
  }
}

async function readJson<Body>(address: string, signal: AbortSignal): Promise<Body> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(`${address} has the status ${response.status}.`);
  return response.json();
}
