import * as styles from './time.module.css';

const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const dateOnly = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** A time of the API in the zone of the reader. @param at ISO 8601 */
export const Time = ({ at, day }: { at: string; day?: boolean }) => (
  <time className={styles.time} dateTime={at} title={at}>
    {(day ? dateOnly : dateTime).format(new Date(at))}
  </time>
);
