import { StepDrawing } from '../drawings/step-drawing';
import * as styles from './categories.module.css';
import type { Product } from './product';

/** Content categories with their `type` in responses. */
export function Categories({ categories }: { categories: NonNullable<Product['categories']>['items'] }) {
  return (
    <ul className={styles.categories}>
      {categories.map(({ drawing, heading, type, text }) => (
        <li key={drawing}>
          <StepDrawing name={drawing} />
          <div>
            <h3>{heading}</h3>
            <p className={styles.type}>
              <code>{type}</code>
            </p>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
