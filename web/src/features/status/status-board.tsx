/** The state of each part of the service, now and on the last days, and what the operators wrote about it. */
import { useEffect } from 'react';
import { Status } from '../../components/ui/status';
import { fill } from '../../fill';
import { IncidentList, type IncidentTexts, momentOf, PastIncidents } from './incidents';
import { byTime, type Incident, isStale, type KnownIncidents } from './incidents-by-time';
import * as styles from './status-board.module.css';
import { StatusTable, type TableTexts } from './status-table';
import { type Kind, kindOf, lastDays, leastMinutes, shareOf } from './summary';
import { type ComponentHealth, type Health, type Polled, useHealth, useIncidents } from './use-service';

export interface StatusTexts
  extends Record<
    | 'loading'
    | 'allAvailable'
    | 'someUnavailable'
    | 'asOf'
    | 'available'
    | 'unavailable'
    | 'bar'
    | 'oldest'
    | 'newest'
    | 'share'
    | 'tooLittle'
    | 'noMeasurement'
    | 'noRecords',
    string
  > {
  readonly components: readonly ComponentTexts[];
  readonly unreachable: { readonly heading: string; readonly text: string };
  readonly legend: Readonly<Record<Kind, string>>;
  readonly table: TableTexts;
  readonly incidents: IncidentTexts;
}

interface ComponentTexts {
  readonly name: string;
  readonly label: string;
  readonly text: string;
}

interface StatusBoardProps {
  texts: StatusTexts;
  /** Days of the bars. */
  days: number;
}

export function StatusBoard({ texts, days, incidentDays }: StatusBoardProps & { incidentDays: number }) {
  const { data: health, isUnreachable } = useHealth();
  const known = useIncidents();
  const { current, planned, past } = byTime(known.data?.incidents ?? []);
  const shown = { texts: texts.incidents, parts: texts.components };
  const isKnown = known.data?.incidents !== undefined;
  useTarget(isKnown);
  return (
    <div className={styles.board} data-source="health">
      <div role="status">
        <Headline health={isUnreachable ? 'unreachable' : health} incidents={current} texts={texts} />
      </div>
      {health && !isUnreachable && (
        // The time is outside the status, because screen readers would announce it every minute.
        <p className={styles.soft}>{fill(texts.asOf, { time: timeOf(health.timestamp) })}</p>
      )}
      <Doubt known={known} texts={texts.incidents} />
      <IncidentList heading={texts.incidents.current} incidents={current} {...shown} />
      <IncidentList heading={texts.incidents.planned} incidents={planned} {...shown} />
      {health && !isUnreachable && <Parts health={health} texts={texts} days={days} />}
      {isKnown && <PastIncidents past={past} days={incidentDays} {...shown} />}
      <p className={styles.feed}>
        <a href={FEED}>{texts.incidents.feed}</a>
      </p>
    </div>
  );
}

/** The server of the site leads it to the API, whose address the build does not know. */
export const FEED = '/status.atom';

/** Scrolls to the incident that the address names, once it is there. */
function useTarget(isKnown: boolean): void {
  useEffect(() => {
    if (isKnown && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isKnown]);
}

/** Says that the incidents are unknown or old. While the API cannot be reached, the headline says so. */
function Doubt({ known, texts }: { known: Polled<KnownIncidents>; texts: IncidentTexts }) {
  const { data, isUnreachable } = known;
  if (!data) return isUnreachable ? <p>{texts.unknown}</p> : null;
  if (data.readAt === undefined) return <p>{texts.unknown}</p>;
  if (!isUnreachable && !isStale(data)) return null;
  return <p>{fill(texts.stale, { time: momentOf(data.readAt) })}</p>;
}

interface HeadlineProps {
  health: Health | 'unreachable' | null;
  /** Those that have not ended. */
  incidents: readonly Incident[];
  texts: StatusTexts;
}

function Headline({ health, incidents, texts }: HeadlineProps) {
  if (health === null) return <p className={styles.now}>{texts.loading}</p>;
  if (health === 'unreachable')
    return (
      <>
        <p className={styles.now} data-state="unavailable">
          {texts.unreachable.heading}
        </p>
        <p>{texts.unreachable.text}</p>
      </>
    );
  const down = texts.components.filter(({ name }) =>
    health.components.some(({ component, available }) => component === name && !available),
  );
  if (down.length > 0)
    return (
      <p className={styles.now} data-state="unavailable">
        {fill(texts.someUnavailable, { components: down.map(({ label }) => label).join(', ') })}
      </p>
    );
  const reported = incidents.filter(({ impact }) => impact !== 'none').map(({ title }) => title);
  return (
    <p className={styles.now} data-state={reported.length > 0 ? 'reported' : 'available'}>
      {reported.length > 0 ? fill(texts.incidents.now, { titles: reported.join('; ') }) : texts.allAvailable}
    </p>
  );
}

function Parts({ health, texts, days }: StatusBoardProps & { health: Health }) {
  const now = Date.parse(health.timestamp);
  const hasRecords = health.components.every((component) => component.days);
  const isMeasured = health.components.some((component) => component.days && component.days.length > 0);
  return (
    <>
      {!hasRecords && <p>{texts.noRecords}</p>}
      <ul className={styles.parts}>
        {texts.components.map(({ name, label, text }) => {
          const part = health.components.find(({ component }) => component === name);
          return (
            part && (
              <li key={name}>
                <h2>{label}</h2>
                <p>
                  <Status
                    status={part.available ? 'reached' : 'missed'}
                    label={part.available ? texts.available : texts.unavailable}
                  />
                </p>
                <p className={styles.soft}>{text}</p>
                <Past part={part} texts={texts} days={days} now={now} />
              </li>
            )
          );
        })}
      </ul>
      {isMeasured && <Legend texts={texts.legend} />}
      {isMeasured && <StatusTable health={health} parts={texts.components} texts={texts.table} />}
    </>
  );
}

const KINDS: readonly Kind[] = ['fine', 'gaps', 'partial', 'outage', 'none'];

interface PastProps extends StatusBoardProps {
  part: ComponentHealth;
  now: number;
}

function Past({ part, texts, days: count, now }: PastProps) {
  if (!part.days) return null;
  const { minutes, percent } = shareOf(part.days);
  if (minutes === 0) return <p>{texts.noMeasurement}</p>;
  const days = lastDays(part.days, count, now).map((day) => ({ ...day, kind: kindOf(day, now) }));
  const numbers = Object.fromEntries(
    KINDS.map((kind) => [kind, days.filter((day) => day.kind === kind).length]),
  );
  return (
    <>
      <div className={styles.bar} role="img" aria-label={fill(texts.bar, { days: count, ...numbers })}>
        {days.map(({ date, kind }) => (
          <span key={date} data-kind={kind} />
        ))}
      </div>
      <p className={styles.ends} aria-hidden="true">
        <span>{fill(texts.oldest, { days: count - 1 })}</span>
        <span>{texts.newest}</span>
      </p>
      <p>
        {percent === undefined
          ? fill(texts.tooLittle, { minutes, least: leastMinutes })
          : fill(texts.share, { percent: percent.toFixed(2), minutes })}
      </p>
    </>
  );
}

/** The forms in the bars. Screen readers get the numbers instead. */
const Legend = ({ texts }: { texts: StatusTexts['legend'] }) => (
  <ul className={styles.legend} aria-hidden="true">
    {KINDS.map((kind) => (
      <li key={kind}>
        <span data-kind={kind} />
        {texts[kind]}
      </li>
    ))}
  </ul>
);

/** Formats a time in the reader's time zone. */
const timeOf = (timestamp: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(timestamp));
