import { CodeInText } from './code-in-text';
import type { Product } from './product';
import * as styles from './specifications.module.css';

export function Specifications({ specifications }: { specifications: Product['specifications'] }) {
  return (
    <dl className={styles.specifications}>
      {specifications.map(({ term, text }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            <CodeInText>{text}</CodeInText>
          </dd>
        </div>
      ))}
    </dl>
  );
}
