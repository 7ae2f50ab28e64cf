/** Short texts with headings, in columns with a rule above. */
import * as styles from './titled-list.module.css';

export interface TitledText {
  heading: string;
  text: string;
}

export function TitledList({ items }: { items: readonly TitledText[] }) {
  return (
    <div className={styles.list}>
      {items.map(({ heading, text }) => (
        <div key={heading} className={styles.item}>
          <h3>{heading}</h3>
          <p>{text}</p>
        </div>
      ))}
    </div>
  );
}
