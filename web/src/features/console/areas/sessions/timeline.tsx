import type { SessionStep } from '@presenza/contract/console/types.d.ts';
import { fill } from '../../../../fill';
import { ExactTime } from '../../parts/exact-time';
import { Block } from '../../parts/page';
import { formatMs } from '../../parts/quantities';
import { useSessions } from './session-data';
import * as styles from './sessions.module.css';

/** The steps of a session, oldest first. */
export function Timeline({ steps }: { steps: readonly SessionStep[] }) {
  const { text } = useSessions();
  const { timeline } = text;
  const attempts = steps.filter(({ event }) => event === 'attempt');
  return (
    <Block title={timeline.title}>
      <ol className={styles.timeline}>
        {steps.map((step, index) => (
          <li key={`${step.at} ${step.event} ${step.attempt}`} data-outcome={outcomeOf(step)}>
            <div className={styles.when}>
              <ExactTime at={step.at} zone />
              <Since step={step} before={steps[index - 1]} />
            </div>
            <div>
              <p>
                {fill(timeline[step.event], { attempt: attempts.indexOf(step) + 1 })}
                {step.outcome && ` ${timeline[step.outcome]}`}
              </p>
              {step.reason && <p className={styles.reason}>{text.reasons[step.reason]}</p>}
              {step.hint && (
                <p className={styles.reason}>{fill(timeline.hint, { hint: text.hints[step.hint] })}</p>
              )}
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

/** How long a step took after the one before. */
function Since({ step, before }: { step: SessionStep; before: SessionStep | undefined }) {
  const { timeline } = useSessions().text;
  const ms = before ? Date.parse(step.at) - Date.parse(before.at) : 0;
  if (ms < 1) return null;
  return <span>{fill(timeline.duration, { duration: formatMs(ms) })}</span>;
}

function outcomeOf({ event, outcome }: SessionStep): 'good' | 'bad' | undefined {
  if (outcome === 'failed' || event === 'session.failed') return 'bad';
  return outcome === 'passed' || event === 'session.completed' ? 'good' : undefined;
}
