import * as styles from './time.module.css';

const dayAndTime = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const ofThisYear = new Intl.DateTimeFormat('en', dayAndTime);
const ofOtherYears = new Intl.DateTimeFormat('en', { ...dayAndTime, year: 'numeric' });
const dateOnly = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** A time of the API in the zone of the reader. @param at ISO 8601 */
export const Time = ({ at, day }: { at: string; day?: boolean }) => (
  <time className={styles.time} dateTime={at} title={at}>
    {day ? dateOnly.format(new Date(at)) : timeOf(at)}
  </time>
);

export function timeOf(at: string): string {
  const time = new Date(at);
  return (time.getFullYear() === new Date().getFullYear() ? ofThisYear : ofOtherYears).format(time);
}
