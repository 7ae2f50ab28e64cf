import { anchorOf } from './error-anchor';
import * as styles from './statuses.module.css';
import type { Status } from './types';

/** Response statuses with their error codes. */
export function Statuses({ statuses }: { statuses: readonly Status[] }) {
  return (
    <ul className={styles.statuses}>
      {statuses.map(({ status, description, codes }) => (
        <li key={status}>
          <code className={styles.status} data-class={status[0]}>
            {status}
          </code>
          <div>
            <p>{description}</p>
            {codes.length > 0 && (
              <p className={styles.codes}>
                {codes.map((code) => (
                  <a key={code} href={`#${anchorOf(code)}`}>
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
