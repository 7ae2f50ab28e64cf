import { fill } from '../../../../fill';
import { Block } from '../../parts/page';
import { Time } from '../../parts/time';
import { type TimelineEntry, useSessions } from './session-data';
import * as styles from './sessions.module.css';

/** The steps of a session, oldest first. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }) {
  const { text } = useSessions();
  const attempts = entries.filter(({ event }) => event === 'attempt');
  return (
    <Block title={text.timeline.title}>
      <ol className={styles.timeline}>
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.event} ${entry.attempt}`}>
            <Time at={entry.at} />
            <div>
              <p>
                {fill(text.timeline[entry.event], { attempt: attempts.indexOf(entry) + 1 })}
                {entry.outcome && ` ${text.timeline[entry.outcome]}`}
              </p>
              {entry.reason && <p className={styles.reason}>{text.reasons[entry.reason]}</p>}
            </div>
          </li>
        ))}
      </ol>
      {entries.some(({ reason }) => reason) && (
        <p className={styles.reason}>
          {text.reasonNote} <a href="/docs/liveness-policies#why-a-check-failed">{text.reasonLink}</a>
        </p>
      )}
    </Block>
  );
}
