import type { SessionWithTimeline } from '@presenza/contract/console/types.d.ts';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { Facts } from '../../parts/facts';
import { Block } from '../../parts/page';
import { isFinal, useSessions } from './session-data';
import * as styles from './sessions.module.css';
import { verdictLooks, verdictOf } from './verdict';

/** The verdict of the session, and why it is so. */
export function SessionResult({ session }: { session: SessionWithTimeline }) {
  const { text } = useSessions();
  const { result } = text;
  const verdict = verdictOf(session);
  const { failureReason, confidence, level, minConfidence, isMatch, hasReference } = session;
  const hint = session.timeline.findLast((step) => step.hint !== undefined)?.hint;
  const match = isMatch === undefined ? (hasReference ? 'unchecked' : 'none') : isMatch ? 'yes' : 'no';
  return (
    <Block title={result.title}>
      <Facts
        facts={[
          [
            result.verdict,
            <span key="verdict" className={styles.fact}>
              <Status status={verdictLooks[verdict]} label={text.verdicts[verdict]} />
              <span className={styles.reason}>{result.meanings[verdict]}</span>
            </span>,
          ],
          confidence !== undefined && [
            result.confidence,
            <Confidence key="confidence" confidence={confidence} />,
          ],
          isFinal(session.status) && verdict !== 'none' && [result.match, result.matches[match]],
          failureReason && [
            result.reason,
            <span key="reason" className={styles.fact}>
              <code>{failureReason}</code>
              <span className={styles.reason}>{text.reasons[failureReason]}</span>
            </span>,
          ],
          hint && [result.hint, text.hints[hint]],
          [
            result.policy,
            fill(result.policyValue, { level: result.levels[level], least: String(minConfidence) }),
          ],
        ]}
      />
    </Block>
  );
}

/** A band with its documented meaning. */
function Confidence({ confidence }: { confidence: number }) {
  const { result } = useSessions().text;
  const bands: Readonly<Record<string, string>> = result.bands;
  return (
    <span className={styles.fact}>
      <span>{confidence}</span>
      <span className={styles.reason}>
        {bands[confidence] ?? result.otherBand} {result.bandNote}{' '}
        <a href="/docs/liveness-policies#confidence">{result.bandLink}</a>
      </span>
    </span>
  );
}
