import { useEffect, useId, useState } from 'react';
import { fill } from '../../fill';
import * as styles from './actions.module.css';
import { browserFamily } from './camera';
import { Emblem } from './emblem';
import { addressOf, type Link } from './link';
import type { Event, Session, View } from './machine';
import { returnAddress } from './return-url';
import { Screen } from './screen';
import type { FinalStatus } from './wire';
import { messageName, useWords, type VerifyWords } from './words';

interface MessageScreenProps {
  view: View;
  session: Session | null;
  link: Link | null;
  /** Name of the account within sentences. */
  asker: string;
  dispatch(event: Event): void;
}

/** All views that consist of a message with actions. */
export function MessageScreen({ view, session, link, asker, dispatch }: MessageScreenProps) {
  const name = messageName(view);
  const words = useWords();
  const message = words.messages.find((entry) => entry.name === name);
  if (!message) throw new Error(`content/verify.json has no message ${name}.`);
  const { heading, text, action, secondary } = message;
  return (
    <Screen name={name} heading={heading} figure={<Emblem name={name} />}>
      <p role={WAITING.includes(view.at) ? 'status' : undefined}>
        {fill(text, { asker, time: timeOf(view) })}
      </p>
      {view.at === 'cameraProblem' && view.problem === 'denied' && <AllowCamera />}
      {view.at === 'retry' && session && <p>{attemptsLeft(words, session.attemptsLeft)}</p>}
      {view.at === 'blocked' && view.requestId && (
        <p className={styles.note}>
          {words.requestId} <code className={styles.code}>{view.requestId}</code>
        </p>
      )}
      {action && (
        <p className={styles.actions}>
          <button className={styles.primary} type="button" onClick={() => act(view, dispatch)}>
            {action}
          </button>
          {secondary && (
            <button
              className={styles.secondary}
              type="button"
              onClick={() => dispatch({ type: 'leaveDeclined' })}
            >
              {secondary}
            </button>
          )}
        </p>
      )}
      {canTravel(view) && link && <CopyLink link={link} />}
      {view.at === 'ended' && <Return session={session} link={link} status={view.status} />}
    </Screen>
  );
}

const WAITING: View['at'][] = ['opening', 'askingCamera', 'judging', 'leaving', 'redirecting'];

function act(view: View, dispatch: MessageScreenProps['dispatch']) {
  if (view.at === 'blocked') window.location.reload();
  else dispatch({ type: view.at === 'leaveAsked' ? 'leaveConfirmed' : 'restarted' });
}

/** Whether another browser or device could help. */
const canTravel = (view: View) =>
  (view.at === 'blocked' && (view.why === 'unsupported' || view.why === 'otherDevice')) ||
  (view.at === 'cameraProblem' && (view.problem === 'none' || view.problem === 'failed'));

function timeOf(view: View): string {
  if (view.at !== 'locked') return '';
  return new Date(view.until).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit' });
}

const attemptsLeft = ({ attempts }: VerifyWords, count: number) =>
  fill(count === 1 ? attempts.one : attempts.other, { count });

function AllowCamera() {
  const family = browserFamily(navigator);
  const { steps = [] } = useWords().allowCamera.find(({ name }) => name === family) ?? {};
  return (
    <ol className={styles.steps}>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** Shows the link, which the address bar no longer contains, for use in another browser or device. */
function CopyLink({ link }: { link: Link }) {
  const { copy } = useWords();
  const [copied, setCopied] = useState(false);
  const id = useId();
  const address = addressOf(window.location, link);
  return (
    <div>
      <label htmlFor={id}>{copy.label}</label>
      <input
        id={id}
        className={styles.field}
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
      {/* Pages without TLS have no clipboard. The field remains. */}
      {navigator.clipboard && (
        <p className={styles.actions}>
          <button
            className={styles.secondary}
            type="button"
            onClick={() =>
              navigator.clipboard.writeText(address).then(
                () => setCopied(true),
                () => {},
              )
            }
          >
            {copy.action}
          </button>
          <span role="status">{copied ? copy.done : ''}</span>
        </p>
      )}
    </div>
  );
}

interface ReturnProps {
  session: Session | null;
  link: Link | null;
  status: FinalStatus;
}

/** Time to read the outcome. People who need more can stay. */
const DELAY_MS = 6000;

/** The link back to the account's application. */
function Return({ session, link, status }: ReturnProps) {
  const { return: labels } = useWords();
  const [staying, setStaying] = useState(false);
  const address =
    session?.returnUrl && link ? returnAddress(session.returnUrl, link.sessionId, status) : null;

  useEffect(() => {
    if (!address || staying) return;
    const timer = setTimeout(() => window.location.assign(address), DELAY_MS);
    return () => clearTimeout(timer);
  }, [address, staying]);

  if (!address) return <p className={styles.note}>{labels.close}</p>;
  return (
    <>
      <p className={styles.actions}>
        <a className={styles.primary} href={address} rel="noreferrer">
          {labels.action}
        </a>
        {!staying && (
          <button className={styles.secondary} type="button" onClick={() => setStaying(true)}>
            {labels.stay}
          </button>
        )}
      </p>
      {!staying && <p className={styles.note}>{labels.soon}</p>}
    </>
  );
}
