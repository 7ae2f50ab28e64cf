import { useId, useState } from 'react';
import * as styles from './actions.module.css';
import { addressOf, type Link } from './link';
import { words } from './words';

/** Shows the link, which the address bar no longer contains, for use in another browser or device. */
export function CopyLink({ link }: { link: Link }) {
  const { copy } = words;
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
