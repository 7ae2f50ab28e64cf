/** The incidents as an Atom feed (RFC 4287), to which readers of the status page subscribe. */
import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import { isoTime } from '../timing/iso-time';
import { type Incident, type IncidentUpdate, statusAt } from './incident';

export const feedType = 'application/atom+xml; charset=utf-8';

/**
 * An entry for each incident, whose text has all updates, so that readers show one incident once.
 * @param page address of the status page
 */
export function feedOf(incidents: readonly Incident[], now: number, page: string): string {
  const latest = [...incidents]
    .sort((incident, other) => updatedAt(other) - updatedAt(incident))
    .slice(0, limits.incidents.feedEntries);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', page),
    element('title', `${brand.name} status`),
    element('updated', isoTime(latest[0] ? updatedAt(latest[0]) : 0)),
    `<link rel="alternate" type="text/html" href="${escaped(page)}"/>`,
    `<author>${element('name', brand.name)}</author>`,
    ...latest.map((incident) => entryOf(incident, now, page)),
    '</feed>',
    '',
  ].join('\n');
}

function entryOf(incident: Incident, now: number, page: string): string {
  const { id, title, components, impact, startsAt, endsAt, updates } = incident;
  const facts = [
    `${impactTexts[impact]}: ${components.map((component) => componentTexts[component]).join(', ')}`,
    `From ${readable(startsAt)}${endsAt === undefined ? '' : ` to ${readable(endsAt)}`}`,
  ];
  // HTML in which all texts are escaped, and which the element escapes once more.
  const html = [
    ...facts.map((fact) => `<p>${escaped(fact)}</p>`),
    ...[...updates].reverse().map(updateAsHtml),
  ].join('');
  return [
    '<entry>',
    element('id', `${page}#${id}`),
    element('title', `${statusTexts[statusAt(incident, now)]}: ${title}`),
    element('published', isoTime(updates[0]?.at ?? startsAt)),
    element('updated', isoTime(updatedAt(incident))),
    `<link rel="alternate" type="text/html" href="${escaped(`${page}#${id}`)}"/>`,
    `<content type="html">${escaped(html)}</content>`,
    '</entry>',
  ].join('\n');
}

const updateAsHtml = ({ status, text, at }: IncidentUpdate) =>
  `<p><strong>${statusTexts[status]}</strong>, ${readable(at)}<br>${escaped(text).replaceAll('\n', '<br>')}</p>`;

const updatedAt = ({ updates, startsAt }: Incident): number => updates.at(-1)?.at ?? startsAt;

const statusTexts = {
  scheduled: 'Scheduled',
  inProgress: 'In progress',
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
} as const satisfies Record<IncidentUpdate['status'], string>;

const impactTexts = {
  none: 'No effect',
  degraded: 'Degraded',
  partialOutage: 'Partial outage',
  outage: 'Outage',
} as const satisfies Record<Incident['impact'], string>;

const componentTexts = {
  api: 'API',
  analyses: 'Analyses',
  liveness: 'Liveness',
  webhooks: 'Webhooks',
} as const satisfies Record<Incident['components'][number], string>;

/** Such as `2026-01-15 08:21 UTC`. */
const readable = (ms: number) => `${isoTime(ms).slice(0, 16).replace('T', ' ')} UTC`;

const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;

/** Characters that XML 1.0 does not allow, even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to remove
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) =>
  text.replace(notInXml, '').replace(/[&<>"']/g, (character) => entities[character] ?? '');
