import type { Status } from './reference-data';
import * as styles from './statuses.module.css';

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

/** The anchor of INVALID_IMAGE is #invalid-image. */
export const anchorOf = (code: string): string => code.toLowerCase().replace(/_/g, '-');
