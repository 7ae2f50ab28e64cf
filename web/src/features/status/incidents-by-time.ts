/** The incidents that GET /health/incidents returns, in the order of the status page. */

export type IncidentStatus =
  | 'scheduled'
  | 'inProgress'
  | 'investigating'
  | 'identified'
  | 'monitoring'
  | 'resolved';
export type Impact = 'none' | 'degraded' | 'partialOutage' | 'outage';

export interface Incident {
  readonly incidentId: string;
  readonly title: string;
  readonly components: readonly string[];
  readonly impact: Impact;
  readonly status: IncidentStatus;
  /** ISO 8601, as all times here. */
  readonly startsAt: string;
  readonly endsAt?: string;
  /** The newest first. */
  readonly updates: readonly IncidentUpdate[];
}

export interface IncidentUpdate {
  readonly status: IncidentStatus;
  readonly text: string;
  readonly at: string;
}

export interface KnownIncidents {
  readonly timestamp: string;
  /** When the gateway read the incidents. Both are absent before it could. */
  readonly readAt?: string;
  readonly incidents?: readonly Incident[];
}

/** A gateway reads the incidents every few seconds. */
const STALE_MS = 120_000;

/** Whether the gateway could not read the incidents for some time. */
export const isStale = ({ timestamp, readAt }: KnownIncidents): boolean =>
  readAt !== undefined && Date.parse(timestamp) - Date.parse(readAt) > STALE_MS;

export interface IncidentsByTime {
  /** Incidents, and maintenance that has begun. */
  readonly current: readonly Incident[];
  /** The next one first. */
  readonly planned: readonly Incident[];
  /** By the day on which they began, in UTC, the newest first. */
  readonly past: readonly (readonly [day: string, incidents: readonly Incident[]])[];
}

/** @param incidents the latest first */
export function byTime(incidents: readonly Incident[]): IncidentsByTime {
  const past = new Map<string, Incident[]>();
  for (const incident of incidents.filter(({ status }) => status === 'resolved')) {
    const day = incident.startsAt.slice(0, 10);
    past.set(day, [...(past.get(day) ?? []), incident]);
  }
  return {
    current: incidents.filter(({ status }) => status !== 'resolved' && status !== 'scheduled'),
    planned: incidents.filter(({ status }) => status === 'scheduled').reverse(),
    past: [...past],
  };
}
