import { useId } from 'react';
import { Disclosure } from '../../components/ui/disclosure';
import * as styles from './category-entry.module.css';
import type { WORDS } from './consent-words';

interface CategoryEntryProps {
  words: (typeof WORDS)['categories'][number];
  alwaysActive: string;
  details: string;
  /** Missing for a mandatory category. */
  choice?: { isOn: boolean; isFixed: boolean; set(isOn: boolean): void };
}

/** A category of storage with its purpose, a switch if it is optional, and its entries. */
export function CategoryEntry({ words, alwaysActive, details, choice }: CategoryEntryProps) {
  const { label, text, retention, items } = words;
  const id = useId();
  return (
    <li className={styles.category}>
      <div className={styles.top}>
        {choice ? (
          <label className={styles.choice}>
            <span className={styles.name}>{label}</span>
            <input
              className={styles.slide}
              type="checkbox"
              checked={choice.isOn}
              disabled={choice.isFixed}
              aria-describedby={id}
              onChange={({ currentTarget }) => choice.set(currentTarget.checked)}
            />
          </label>
        ) : (
          <p className={styles.choice}>
            <span className={styles.name}>{label}</span>
            <span className={styles.always}>{alwaysActive}</span>
          </p>
        )}
        <p id={id}>{text}</p>
      </div>
      <Disclosure summary={details}>
        <p>{retention}</p>
        {items.length > 0 && (
          <dl className={styles.items}>
            {items.map(({ name, purpose, kept }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{purpose}</dd>
                <dd>{kept}</dd>
              </div>
            ))}
          </dl>
        )}
      </Disclosure>
    </li>
  );
}
