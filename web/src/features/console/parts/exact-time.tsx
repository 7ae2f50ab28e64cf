import * as styles from './time.module.css';

const seconds = {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
} as const;
const short = new Intl.DateTimeFormat('en', seconds);
const full = new Intl.DateTimeFormat('en', { ...seconds, year: 'numeric', timeZoneName: 'short' });

/** A time of the API to the second, in the zone of the reader. @param zone whether year and zone are shown */
export const ExactTime = ({ at, zone }: { at: string; zone?: boolean }) => (
  <time className={styles.time} dateTime={at} title={at}>
    {(zone ? full : short).format(new Date(at))}
  </time>
);
