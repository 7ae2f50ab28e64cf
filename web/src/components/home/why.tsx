/** Three reasons with their claims or facts. */
import { Claims } from '../marketing/claims';
import { Section } from '../ui/section';
import * as styles from './why.module.css';

type Words = QueryData<Queries.HomePageQuery>['contentHome']['why'];

export function Why({ heading, items }: Words) {
  return (
    <Section heading={heading}>
      <div className={styles.reasons}>
        {items.map(({ heading, text, claims, facts }) => (
          <div key={heading} className={styles.reason}>
            <h3>{heading}</h3>
            <p>{text}</p>
            {facts.length > 0 && (
              <ul className={styles.facts}>
                {facts.map((fact) => (
                  <li key={fact}>{fact}</li>
                ))}
              </ul>
            )}
            {claims.length > 0 && <Claims ids={claims} />}
          </div>
        ))}
      </div>
    </Section>
  );
}
