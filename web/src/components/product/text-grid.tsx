import type { TitledText } from '../marketing/titled-list';
import * as styles from './text-grid.module.css';

const classes = { columns: styles.columns, rows: styles.rows };

interface TextGridProps {
  items: readonly TitledText[];
  look?: keyof typeof classes;
}

/** Short texts with headings, in two columns if there is room. `rows` puts each text beside its heading. */
export function TextGrid({ items, look = 'columns' }: TextGridProps) {
  return (
    <ul className={classes[look]}>
      {items.map(({ heading, text }) => (
        <li key={heading}>
          <h3>{heading}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ul>
  );
}
