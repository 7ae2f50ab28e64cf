import { useEffect, useState } from 'react';
import type { KnownIncidents } from './incidents-by-time';
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

export interface Polled<Data> {
  /** The last valid data, null before there are any. */
  readonly data: Data | null;
  /** Whether the last request had no valid response. */
  readonly isUnreachable: boolean;
}

/** The health of the service, as its API reports it. */
export const useHealth = () =>
  usePolled<Health>('/health/history', ({ components }) => Array.isArray(components));

/** The incidents that the operators wrote. */
export const useIncidents = () =>
  usePolled<KnownIncidents>('/health/incidents', ({ timestamp }) => typeof timestamp === 'string');

/** Asks the API every minute. @param path within the API, always the same */
function usePolled<Data>(path: string, isValid: (data: Data) => boolean): Polled<Data> {
  const [polled, setPolled] = useState<Polled<Data>>({ data: null, isUnreachable: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the arguments are always the same
  useEffect(() => {
    let isShown = true;
    const update = async () => {
      const data = await load<Data>(path).catch(() => undefined);
      if (!isShown) return;
      if (data !== undefined && isValid(data)) setPolled({ data, isUnreachable: false });
      else setPolled((before) => ({ ...before, isUnreachable: true }));
    };
    void update();
    const timer = setInterval(update, RELOAD_MS);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, []);
  return polled;
}

/** @throws Error if there is no response in time */
async function load<Data>(path: string): Promise<Data> {
  const aborting = new AbortController();
  const timer = setTimeout(() => aborting.abort(), TIMEOUT_MS);
  try {
    const { signal } = aborting;
    const { apiUrl } = await readJson<{ apiUrl: string }>('/api-config.json', signal);
    const { data } = await readJson<{ data: Data }>(`${apiUrl}${path}`, signal);
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
