import { StepDrawing } from '../drawings/step-drawing';
import * as styles from './categories.module.css';
import type { Category } from './product';

/** Kinds of content, each with the name that answers give it. */
export function Categories({ categories }: { categories: Category[] }) {
  return (
    <ul className={styles.categories}>
      {categories.map(({ drawing, heading, answer, text }) => (
        <li key={drawing}>
          <StepDrawing name={drawing} />
          <div>
            <h3>{heading}</h3>
            <p className={styles.answer}>
              <code>{answer}</code>
            </p>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
