import { useEffect, useState } from 'react';
import * as styles from './actions.module.css';
import type { Link } from './link';
import type { Session } from './machine';
import { returnAddress } from './return-url';
import type { FinalStatus } from './wire';
import { words } from './words';

interface ReturnProps {
  session: Session | null;
  link: Link | null;
  status: FinalStatus;
}

/** Time to read the outcome. People who need more can stay. */
const DELAY_MS = 6000;

/** The link back to the account's application. */
export function Return({ session, link, status }: ReturnProps) {
  const { return: labels } = words;
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
