/** The incidents that the operators of the service wrote. */
import { fill } from '../../fill';
import * as styles from './incidents.module.css';
import type { Impact, Incident, IncidentStatus, IncidentUpdate } from './incidents-by-time';

export interface IncidentTexts
  extends Record<
    'now' | 'current' | 'planned' | 'past' | 'none' | 'unknown' | 'stale' | 'affects' | 'since' | 'range',
    string
  > {
  readonly statuses: Readonly<Record<IncidentStatus, string>>;
  readonly impacts: Readonly<Record<Impact, string>>;
  readonly feed: string;
}

interface IncidentsProps {
  texts: IncidentTexts;
  /** The labels of the parts of the service. */
  parts: readonly { readonly name: string; readonly label: string }[];
}

/** A list under a heading, or nothing if there are none. */
export function IncidentList({
  heading,
  incidents,
  ...props
}: IncidentsProps & { heading: string; incidents: readonly Incident[] }) {
  if (incidents.length === 0) return null;
  return (
    <section className={styles.group}>
      <h2>{heading}</h2>
      <Articles incidents={incidents} {...props} />
    </section>
  );
}

interface PastProps extends IncidentsProps {
  /** By day, the newest first. */
  past: readonly (readonly [day: string, incidents: readonly Incident[]])[];
  /** Days for which the service keeps them. */
  days: number;
}

export function PastIncidents({ past, days, texts, parts }: PastProps) {
  return (
    <section className={styles.group}>
      <h2>{texts.past}</h2>
      {past.length === 0 && <p className={styles.soft}>{fill(texts.none, { days })}</p>}
      {past.map(([day, incidents]) => (
        <div key={day} className={styles.day}>
          <h3>
            <time dateTime={day}>{dayOf(day)}</time>
          </h3>
          <Articles incidents={incidents} isNested texts={texts} parts={parts} />
        </div>
      ))}
    </section>
  );
}

interface ArticlesProps extends IncidentsProps {
  incidents: readonly Incident[];
  /** Whether they are below the heading of a day. */
  isNested?: boolean;
}

function Articles({ incidents, isNested = false, texts, parts }: ArticlesProps) {
  const Heading = isNested ? 'h4' : 'h3';
  const labelOf = (name: string) => parts.find((part) => part.name === name)?.label ?? name;
  return incidents.map(({ incidentId, title, status, impact, components, startsAt, endsAt, updates }) => (
    <article key={incidentId} id={incidentId} className={styles.incident} data-impact={impact}>
      <Heading>{title}</Heading>
      <p className={styles.soft}>
        {fill(texts.affects, {
          impact: texts.impacts[impact],
          components: components.map(labelOf).join(', '),
        })}
        <br />
        {fill(endsAt === undefined ? texts.since : texts.range, {
          from: momentOf(startsAt),
          until: endsAt === undefined ? '' : momentOf(endsAt),
        })}
        {/* The state of maintenance changes without an update. */}
        {status !== updates[0]?.status && ` (${texts.statuses[status].toLowerCase()})`}
      </p>
      <ol className={styles.updates}>
        {updates.map((update) => (
          <Update key={`${update.at} ${update.text}`} update={update} texts={texts} />
        ))}
      </ol>
    </article>
  ));
}

const Update = ({ update, texts }: { update: IncidentUpdate; texts: IncidentTexts }) => (
  <li>
    <p>
      <strong>{texts.statuses[update.status]}</strong>{' '}
      <time dateTime={update.at} className={styles.soft}>
        {momentOf(update.at)}
      </time>
    </p>
    <p className={styles.text}>{update.text}</p>
  </li>
);

/** Formats a time in the reader's time zone, and names the zone. */
export const momentOf = (time: string) =>
  new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(time));

/** Formats a day in UTC, as in the table of measured days. */
const dayOf = (day: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
