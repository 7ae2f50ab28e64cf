import { type FormEvent, useId, useRef, useState } from 'react';
import { fill } from '../../fill';
import * as actions from './actions.module.css';
import { ConsentDrawing } from './consent-drawing';
import * as styles from './consent-screen.module.css';
import { consentPoints } from './light';
import type { Event, Session } from './machine';
import { Screen } from './screen';
import { useWords, type VerifyWords } from './words';

interface ConsentScreenProps {
  session: Session;
  asker: string;
  /** Typical duration of a check in seconds. */
  duration: { from: number; to: number };
  dispatch(event: Event): void;
}

/** Explains the check, its requester and data retention, and asks for consent. */
export function ConsentScreen({ session, asker, duration, dispatch }: ConsentScreenProps) {
  const words = useWords();
  const { heading, agreement, missing, action } = words.consent;
  const [refused, setRefused] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  const name = session.branding?.name;
  const values = { ...duration, asker, retention: retentionOf(words, session.retentionSeconds) };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (box.current?.checked) return dispatch({ type: 'consented' });
    setRefused(true);
    box.current?.focus();
  };

  return (
    <Screen name="consent" heading={heading} figure={<ConsentDrawing />} wide>
      <p className={styles.lead}>{name ? fill(words.askedBy, { name }) : words.askedBySomebody}</p>
      <ul className={styles.points}>
        {consentPoints(words, session.showsLight).map(({ title, text }) => (
          <li key={title}>
            <strong>{title}</strong>
            <span>{fill(text, values)}</span>
          </li>
        ))}
      </ul>
      <form noValidate onSubmit={submit}>
        <label className={styles.consent} data-missing={refused}>
          <input
            ref={box}
            type="checkbox"
            required
            aria-invalid={refused}
            aria-describedby={refused ? id : undefined}
            onChange={() => setRefused(false)}
          />
          <span>{fill(agreement, values)}</span>
        </label>
        <p className={styles.missing} id={id} role="alert">
          {refused && missing}
        </p>
        <p className={actions.actions}>
          <button className={actions.primary} type="submit">
            {action}
          </button>
        </p>
      </form>
    </Screen>
  );
}

function retentionOf({ consent }: VerifyWords, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  return minutes % 60 === 0
    ? fill(consent.retention.hours, { count: minutes / 60 })
    : fill(consent.retention.minutes, { count: minutes });
}
