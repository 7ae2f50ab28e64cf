/** Three reasons, with facts under each. */
import { Claims } from '../marketing/claims';
import { Section } from '../ui/section';
import * as styles from './why.module.css';

export interface Reason {
  heading: string;
  text: string;
  claim: string | null;
  /** Null text: not measured on this installation, so nothing is said. */
  figures: { label: string; text: string | null }[];
  facts: string[];
}

export function Why({ heading, items }: { heading: string; items: Reason[] }) {
  return (
    <Section heading={heading}>
      <div className={styles.reasons}>
        {items.map(({ heading, text, claim, figures, facts }) => (
          <div key={heading} className={styles.reason}>
            <h3>{heading}</h3>
            <p>{text}</p>
            {figures.length > 0 && (
              <dl className={styles.figures}>
                {figures.map(
                  ({ label, text }) =>
                    text && (
                      <div key={label}>
                        <dt>{label}</dt>
                        <dd>{text}</dd>
                      </div>
                    ),
                )}
              </dl>
            )}
            {facts.length > 0 && (
              <ul className={styles.facts}>
                {facts.map((fact) => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
            )}
            {claim && <Claims ids={[claim]} />}
          </div>
        ))}
      </div>
    </Section>
  );
}
