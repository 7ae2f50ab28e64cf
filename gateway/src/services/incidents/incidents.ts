/** Operators write incidents and planned maintenance for the status page. */
import limits from '@presenza/contract/limits.json';
import { randomBase62 } from '../../crypto/base62';
import { OperatorError } from '../../errors';
import type { Component } from '../health/days';
import {
  type Impact,
  type Incident,
  type IncidentView,
  latestFirst,
  oldestEnd,
  type ReportedStatus,
  statusAt,
  viewOf,
} from './incident';

export interface IncidentStore {
  /**
   * Adds an incident. It first removes those that ended before `oldestEnd`, and then the one that ended first, if there
   * are `most`.
   * @returns false if there are `most` that have not ended at `now`
   */
  add(incident: Incident, room: { most: number; oldestEnd: number; now: number }): Promise<boolean>;
  /** @returns undefined if there is no such incident */
  change(id: string, change: (incident: Incident) => Incident): Promise<Incident | undefined>;
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>;
  all(): Promise<readonly Incident[]>;
}

interface Described {
  readonly title: string;
  readonly components: readonly Component[];
  readonly impact: Impact;
  readonly text: string;
}

/** Times are in milliseconds since 1970. */
export interface NewIncident extends Described {
  readonly status: ReportedStatus;
  /** Default: now */
  readonly from?: number | undefined;
  /** Only of an incident that is over. Default: now */
  readonly until?: number | undefined;
}

export interface NewMaintenance extends Described {
  readonly from: number;
  readonly until: number;
}

export interface IncidentChange extends Partial<Omit<NewIncident, 'text'>> {
  readonly text: string;
}

const { maxIncidents, maxUpdatesPerIncident, maxPlannedDays } = limits.incidents;
const idLength = 22;

export class Incidents {
  constructor(
    private readonly store: IncidentStore,
    private readonly now: () => number,
  ) {}

  /** @throws OperatorError if the times contradict the status, or there are too many incidents that have not ended */
  create({ status, text, from, until, ...described }: NewIncident): Promise<IncidentView> {
    const now = this.now();
    return this.add({
      ...described,
      id: newIncidentId(),
      planned: false,
      updates: [{ status, text, at: now }],
      ...timesOf({ status, from: from ?? now, until }, now),
    });
  }

  /** @throws OperatorError if the times are not those of a plan, or there are too many incidents that have not ended */
  schedule({ text, from, until, ...described }: NewMaintenance): Promise<IncidentView> {
    const now = this.now();
    checkPlan(from, until, now);
    const maintenance = { ...described, id: newIncidentId(), planned: true, startsAt: from, endsAt: until };
    const status = statusAt({ ...maintenance, updates: [] }, now);
    return this.add({ ...maintenance, updates: [{ status, text, at: now }] });
  }

  /**
   * Adds an update, and changes what it names.
   * @throws OperatorError if there is no such incident, it has no room for an update, or the times are wrong
   */
  async update(
    id: string,
    { text, status, from, until, ...described }: IncidentChange,
  ): Promise<IncidentView> {
    const now = this.now();
    const changed = await this.store.change(id, (incident) => {
      if (incident.updates.length >= maxUpdatesPerIncident)
        throw new OperatorError(`An incident has room for ${maxUpdatesPerIncident} updates.`);
      const startsAt = from ?? incident.startsAt;
      const times = incident.planned
        ? plannedTimes({ status, startsAt, until: until ?? incident.endsAt ?? now }, now)
        : timesOf(
            { status: status ?? reportedOf(incident), from: startsAt, until: until ?? endOf(incident) },
            now,
          );
      const { endsAt: _, ...rest } = incident;
      const after = { ...rest, ...described, ...times };
      const reported = incident.planned ? statusAt(after, now) : (status ?? reportedOf(incident));
      return { ...after, updates: [...incident.updates, { status: reported, text, at: now }] };
    });
    if (!changed) throw unknownIncident();
    return viewOf(changed, now);
  }

  /** @throws OperatorError if there is no such incident */
  async remove(id: string): Promise<void> {
    if (!(await this.store.remove(id))) throw unknownIncident();
  }

  async list(): Promise<readonly IncidentView[]> {
    const now = this.now();
    return [...(await this.store.all())].sort(latestFirst).map((incident) => viewOf(incident, now));
  }

  private async add(incident: Incident): Promise<IncidentView> {
    const now = this.now();
    if (!(await this.store.add(incident, { most: maxIncidents, oldestEnd: oldestEnd(now), now })))
      throw new OperatorError(`${maxIncidents} incidents have not ended yet. Resolve or delete one first.`);
    return viewOf(incident, now);
  }
}

const newIncidentId = (): string => `inc_${randomBase62(idLength)}`;

const unknownIncident = () => new OperatorError('There is no incident with this id.', 'NOT_FOUND');

/** The last state of an incident that is no maintenance. */
const reportedOf = ({ updates }: Incident) => updates.at(-1)?.status as ReportedStatus;

/** An incident that is reopened has no end, and the status decides whether it has one. */
const endOf = (incident: Incident) => (reportedOf(incident) === 'resolved' ? incident.endsAt : undefined);

interface Reported {
  readonly status: ReportedStatus;
  readonly from: number;
  readonly until: number | undefined;
}

function timesOf({ status, from, until }: Reported, now: number) {
  if (from > now) throw new OperatorError('An incident begins in the past. Schedule maintenance instead.');
  if (status !== 'resolved') return { startsAt: from };
  const endsAt = until ?? now;
  if (endsAt > now || endsAt < from)
    throw new OperatorError('A resolved incident ends after its start, and not in the future.');
  return { startsAt: from, endsAt };
}

interface Planned {
  readonly status: ReportedStatus | undefined;
  readonly startsAt: number;
  readonly until: number;
}

/** Maintenance that is resolved ends now, also if it would have begun later. */
function plannedTimes({ status, startsAt, until }: Planned, now: number) {
  if (until < startsAt) throw new OperatorError('Maintenance ends after its start.');
  if (status === 'resolved') return { startsAt: Math.min(startsAt, now), endsAt: Math.min(until, now) };
  if (status !== undefined)
    throw new OperatorError(
      'Maintenance starts and ends at its times. The only status to report is resolved.',
    );
  if (until > now) checkPlan(startsAt, until, now);
  return { startsAt, endsAt: until };
}

function checkPlan(from: number, until: number, now: number): void {
  if (until <= from || until <= now)
    throw new OperatorError('Maintenance ends after its start, and in the future.');
  if (until > now + maxPlannedDays * 86_400_000)
    throw new OperatorError(`Maintenance ends within ${maxPlannedDays} days.`);
}
