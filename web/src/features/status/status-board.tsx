/** The state of each part of the service, now and on the last days. */
import { Status } from '../../components/ui/status';
import { fill } from '../../fill';
import * as styles from './status-board.module.css';
import { StatusTable, type TableWords } from './status-table';
import { type Kind, kindOf, lastDays, leastMinutes, shareOf } from './summary';
import { type ComponentHealth, type Health, useHealth } from './use-health';

export interface StatusWords
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
  readonly components: readonly ComponentWords[];
  readonly unreachable: { readonly heading: string; readonly text: string };
  readonly legend: Readonly<Record<Kind, string>>;
  readonly table: TableWords;
}

interface ComponentWords {
  readonly name: string;
  readonly label: string;
  readonly text: string;
}

interface StatusBoardProps {
  words: StatusWords;
  /** Days of the bars. */
  days: number;
}

export function StatusBoard({ words, days }: StatusBoardProps) {
  const health = useHealth();
  return (
    <div className={styles.board} data-source="health">
      <div role="status">
        <Headline health={health} words={words} />
      </div>
      {health && health !== 'unreachable' && (
        <>
          {/* Outside of the status: screen readers would announce the time every minute. */}
          <p className={styles.soft}>{fill(words.asOf, { time: timeOf(health.timestamp) })}</p>
          <Parts health={health} words={words} days={days} />
        </>
      )}
    </div>
  );
}

function Headline({ health, words }: { health: Health | 'unreachable' | null; words: StatusWords }) {
  if (health === null) return <p className={styles.now}>{words.loading}</p>;
  if (health === 'unreachable')
    return (
      <>
        <p className={styles.now} data-state="unavailable">
          {words.unreachable.heading}
        </p>
        <p>{words.unreachable.text}</p>
      </>
    );
  const down = words.components.filter(({ name }) =>
    health.components.some(({ component, available }) => component === name && !available),
  );
  const names = down.map(({ label }) => label).join(', ');
  return (
    <p className={styles.now} data-state={down.length > 0 ? 'unavailable' : 'available'}>
      {down.length > 0 ? fill(words.someUnavailable, { components: names }) : words.allAvailable}
    </p>
  );
}

function Parts({ health, words, days }: StatusBoardProps & { health: Health }) {
  const now = Date.parse(health.timestamp);
  const hasRecords = health.components.every((one) => one.days);
  const isMeasured = health.components.some((one) => one.days && one.days.length > 0);
  return (
    <>
      {!hasRecords && <p>{words.noRecords}</p>}
      <ul className={styles.parts}>
        {words.components.map(({ name, label, text }) => {
          const part = health.components.find(({ component }) => component === name);
          return (
            part && (
              <li key={name}>
                <h2>{label}</h2>
                <p>
                  <Status
                    status={part.available ? 'reached' : 'missed'}
                    label={part.available ? words.available : words.unavailable}
                  />
                </p>
                <p className={styles.soft}>{text}</p>
                <Past part={part} words={words} days={days} now={now} />
              </li>
            )
          );
        })}
      </ul>
      {isMeasured && <Legend words={words.legend} />}
      {isMeasured && <StatusTable health={health} parts={words.components} words={words.table} />}
    </>
  );
}

const KINDS: readonly Kind[] = ['fine', 'gaps', 'partial', 'outage', 'none'];

interface PastProps extends StatusBoardProps {
  part: ComponentHealth;
  now: number;
}

function Past({ part, words, days: count, now }: PastProps) {
  if (!part.days) return null;
  const { minutes, percent } = shareOf(part.days);
  if (minutes === 0) return <p>{words.noMeasurement}</p>;
  const days = lastDays(part.days, count, now).map((day) => ({ ...day, kind: kindOf(day, now) }));
  const numbers = Object.fromEntries(
    KINDS.map((kind) => [kind, days.filter((day) => day.kind === kind).length]),
  );
  return (
    <>
      <div className={styles.bar} role="img" aria-label={fill(words.bar, { days: count, ...numbers })}>
        {days.map(({ date, kind }) => (
          <span key={date} data-kind={kind} />
        ))}
      </div>
      <p className={styles.ends} aria-hidden="true">
        <span>{fill(words.oldest, { days: count - 1 })}</span>
        <span>{words.newest}</span>
      </p>
      <p>
        {percent === undefined
          ? fill(words.tooLittle, { minutes, least: leastMinutes })
          : fill(words.share, { percent: percent.toFixed(2), minutes })}
      </p>
    </>
  );
}

/** The forms in the bars. Screen readers get the numbers instead. */
const Legend = ({ words }: { words: StatusWords['legend'] }) => (
  <ul className={styles.legend} aria-hidden="true">
    {KINDS.map((kind) => (
      <li key={kind}>
        <span data-kind={kind} />
        {words[kind]}
      </li>
    ))}
  </ul>
);

/** In the reader's time zone. */
const timeOf = (timestamp: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(timestamp));
