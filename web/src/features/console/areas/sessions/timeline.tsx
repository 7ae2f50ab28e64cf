import type { SessionStep } from '@presenza/contract/console/types.d.ts';
import { fill } from '../../../../fill';
import { Block } from '../../parts/page';
import { Time } from '../../parts/time';
import { useSessions } from './session-data';
import * as styles from './sessions.module.css';

/** The steps of a session, oldest first. */
export function Timeline({ steps }: { steps: readonly SessionStep[] }) {
  const { text } = useSessions();
  const attempts = steps.filter(({ event }) => event === 'attempt');
  return (
    <Block title={text.timeline.title}>
      <ol className={styles.timeline}>
        {steps.map((step) => (
          <li key={`${step.at} ${step.event} ${step.attempt}`}>
            <Time at={step.at} />
            <div>
              <p>
                {fill(text.timeline[step.event], { attempt: attempts.indexOf(step) + 1 })}
                {step.outcome && ` ${text.timeline[step.outcome]}`}
              </p>
              {step.reason && <p className={styles.reason}>{text.reasons[step.reason]}</p>}
            </div>
          </li>
        ))}
      </ol>
      {steps.some(({ reason }) => reason) && (
        <p className={styles.reason}>
          {text.reasonNote} <a href="/docs/liveness-policies#why-a-check-failed">{text.reasonLink}</a>
        </p>
      )}
    </Block>
  );
}
