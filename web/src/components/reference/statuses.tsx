import { type Status, useAddress } from './reference-data';
import * as styles from './statuses.module.css';

const ERRORS = '/docs/api-reference/errors';

export function Statuses({ statuses }: { statuses: readonly Status[] }) {
  const addressOf = useAddress();
  return (
    <ul className={styles.statuses}>
      {statuses.map(({ status, description, codes }) => (
        <li key={status}>
          <code data-class={status[0]}>{status}</code>
          <div>
            <p>{description}</p>
            {codes.length > 0 && (
              <p>
                {codes.map((code) => (
                  <a key={code} href={addressOf(ERRORS, anchorOf(code))}>
                    {code}
                  </a>
                ))}
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The anchor of INVALID_IMAGE is #invalid-image. */
export const anchorOf = (code: string): string => code.toLowerCase().replace(/_/g, '-');
