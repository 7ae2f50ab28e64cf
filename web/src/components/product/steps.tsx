import { StepDrawing } from '../drawings/step-drawing';
import type { Product } from './product';
import * as styles from './steps.module.css';

/** The steps of a product with drawings. */
export function Steps({ steps }: { steps: Product['howItWorks'] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ drawing, heading, text }) => (
        <li key={drawing}>
          <StepDrawing name={drawing} />
          <h3>{heading}</h3>
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}
