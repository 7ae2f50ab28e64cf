import { Link } from 'gatsby';
import * as styles from './claims.module.css';
import type { Claim, ProductPageWords } from './product';

interface ClaimsProps {
  claims: Claim[];
  note: string;
  measured: ProductPageWords['measured'];
}

/** What is claimed, and where to see what was measured. */
export function Claims({ claims, note, measured }: ClaimsProps) {
  return (
    <div className={styles.claims}>
      <ul className={styles.list}>
        {claims.map(({ figure, text }) => (
          <li key={text}>
            <strong className={styles.figure}>{figure}</strong> <span className={styles.text}>{text}</span>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        {note} <Link to={measured.to}>{measured.label}</Link>
      </p>
    </div>
  );
}
