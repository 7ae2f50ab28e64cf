import limits from '@presenza/contract/limits.json';
import { components } from '../services/health/days';
import { impacts, reportedStatuses } from '../services/incidents/incident';
import type { IncidentChange, NewIncident, NewMaintenance } from '../services/incidents/incidents';
import { type Operation, operation, type Property, time } from './operation';

const { maxTitleLength, maxTextLength } = limits.incidents;

const incident: Property = {
  type: 'string',
  pattern: '^inc_[0-9A-Za-z]{22}$',
  description: 'Id of the incident',
};
const title: Property = {
  type: 'string',
  maxLength: maxTitleLength,
  // It begins with a visible character, and has neither control characters nor halves of a character.
  pattern: '^[^\\p{Cc}\\p{Cs}\\s][^\\p{Cc}\\p{Cs}]*$',
  description: 'Title, in one line',
};
const text: Property = {
  type: 'string',
  maxLength: maxTextLength,
  pattern: '^[^\\p{Cc}\\p{Cs}\\s](?:[^\\p{Cc}\\p{Cs}]|\\n)*$',
  description: 'The update, as plain text',
};
const affected: Property = {
  type: 'array',
  minItems: 1,
  uniqueItems: true,
  items: { type: 'string', enum: components },
  description: 'The affected parts: api, analyses, liveness, webhooks',
};
const impact: Property = {
  type: 'string',
  enum: impacts,
  description: 'Effect on these parts: none, degraded (slow, or with some errors), partialOutage or outage',
};
const status: Property = {
  type: 'string',
  enum: reportedStatuses,
  description: 'State: investigating, identified, monitoring or resolved',
};

/** Times as an operator writes them. */
interface Times {
  readonly from?: string;
  readonly until?: string;
}
type Written<T> = Omit<T, 'from' | 'until'> & Times;

const ms = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

export const incidentOperations: readonly Operation[] = [
  operation<Written<NewIncident>>({
    id: 'incidents create',
    summary: 'Writes an incident on the status page',
    http: ['POST', '/incidents'],
    properties: {
      title,
      components: affected,
      impact,
      status: { ...status, default: 'investigating' },
      text,
      from: time('When it began. Default: now'),
      until: time('When it ended, if its status is resolved. Default: now'),
    },
    required: ['title', 'components', 'impact', 'text'],
    changes: true,
    run: ({ incidents }, { from, until, ...rest }) =>
      incidents.create({ ...rest, from: ms(from), until: ms(until) }),
  }),
  operation<Written<Omit<NewMaintenance, 'from' | 'until'>> & Required<Times>>({
    id: 'incidents schedule',
    summary: 'Writes planned maintenance on the status page, which starts and ends there at its times',
    http: ['POST', '/incidents/maintenance'],
    properties: {
      title,
      components: affected,
      impact,
      text,
      from: time('When it begins'),
      until: time('When it ends'),
    },
    required: ['title', 'components', 'impact', 'text', 'from', 'until'],
    changes: true,
    run: ({ incidents }, { from, until, ...rest }) =>
      incidents.schedule({ ...rest, from: Date.parse(from), until: Date.parse(until) }),
  }),
  operation<Written<IncidentChange> & { incident: string }>({
    id: 'incidents update',
    summary: 'Adds an update to an incident, and changes what it names',
    http: ['PATCH', '/incidents/:incident'],
    properties: {
      incident,
      text,
      status: { ...status, description: `${status.description}. Maintenance takes only resolved` },
      title,
      components: affected,
      impact,
      from: time('When it began or begins'),
      until: time('When it ended, or maintenance ends'),
    },
    required: ['incident', 'text'],
    changes: true,
    run: ({ incidents }, { incident, from, until, ...rest }) =>
      incidents.update(incident, { ...rest, from: ms(from), until: ms(until) }),
  }),
  operation<{ incident: string }>({
    id: 'incidents delete',
    summary: 'Removes an incident with its updates, such as one that was written by mistake',
    http: ['DELETE', '/incidents/:incident'],
    properties: { incident },
    required: ['incident'],
    changes: true,
    run: async ({ incidents }, { incident }) => {
      await incidents.remove(incident);
      return { deleted: incident };
    },
  }),
  operation<object>({
    id: 'incidents list',
    summary: 'Lists the incidents and maintenance of the status page, latest start first',
    http: ['GET', '/incidents'],
    properties: {},
    changes: false,
    run: async ({ incidents }) => ({ incidents: await incidents.list() }),
  }),
];
