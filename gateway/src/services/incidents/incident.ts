/** An incident or a planned maintenance as an operator wrote it, and the part of it that is public. */
import limits from '@presenza/contract/limits.json';
import type { Component } from '../health/days';
import { isoTime } from '../timing/iso-time';

export const impacts = ['none', 'degraded', 'partialOutage', 'outage'] as const;
export type Impact = (typeof impacts)[number];

/** The states that an operator reports. Those of planned maintenance follow from its times. */
export const reportedStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type ReportedStatus = (typeof reportedStatuses)[number];
export type IncidentStatus = ReportedStatus | 'scheduled' | 'inProgress';

export interface IncidentUpdate {
  readonly status: IncidentStatus;
  readonly text: string;
  /** Milliseconds since 1970, as all times here. */
  readonly at: number;
}

export interface Incident {
  readonly id: string;
  readonly title: string;
  readonly planned: boolean;
  readonly components: readonly Component[];
  readonly impact: Impact;
  readonly startsAt: number;
  /** Absent while an incident lasts. Maintenance has its planned end here. */
  readonly endsAt?: number;
  /** The oldest first; at least one. */
  readonly updates: readonly IncidentUpdate[];
}

const { retentionDays } = limits.incidents;
const retentionMs = retentionDays * 86_400_000;

/** Maintenance starts and ends at its times, so that nobody has to report it at night. */
export function statusAt({ planned, startsAt, endsAt, updates }: Incident, now: number): IncidentStatus {
  if (!planned) return updates.at(-1)?.status ?? 'investigating';
  if (endsAt !== undefined && endsAt <= now) return 'resolved';
  return startsAt > now ? 'scheduled' : 'inProgress';
}

/** Incidents that ended before this time are no longer public. */
export const oldestEnd = (now: number): number => now - retentionMs;

export const isPublic = ({ endsAt }: Incident, now: number): boolean =>
  endsAt === undefined || endsAt > oldestEnd(now);

/** Sorts those that began last, or begin last, first. */
export const latestFirst = (incident: Incident, other: Incident): number =>
  other.startsAt - incident.startsAt || (incident.id < other.id ? 1 : -1);

/** `incident.json` of the contract. */
export const viewOf = (incident: Incident, now: number) => ({
  incidentId: incident.id,
  title: incident.title,
  planned: incident.planned,
  components: incident.components,
  impact: incident.impact,
  status: statusAt(incident, now),
  startsAt: isoTime(incident.startsAt),
  ...(incident.endsAt !== undefined && { endsAt: isoTime(incident.endsAt) }),
  updates: incident.updates.map((update) => ({ ...update, at: isoTime(update.at) })).reverse(),
});
export type IncidentView = ReturnType<typeof viewOf>;
