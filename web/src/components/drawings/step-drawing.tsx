import { CATEGORY_DRAWINGS } from './category-drawings';
import { DETECTION_DRAWINGS } from './detection-drawings';
import * as styles from './drawings.module.css';
import { LIVENESS_DRAWINGS } from './liveness-drawings';
import { MATCHING_DRAWINGS } from './matching-drawings';
import { MODERATION_DRAWINGS } from './moderation-drawings';

/** The drawings by their name in the content. */
const DRAWINGS: Readonly<Record<string, () => React.JSX.Element>> = {
  ...LIVENESS_DRAWINGS,
  ...MATCHING_DRAWINGS,
  ...DETECTION_DRAWINGS,
  ...MODERATION_DRAWINGS,
  ...CATEGORY_DRAWINGS,
};

/** The decoration of a product's step or category. @throws Error for an unknown name */
export function StepDrawing({ name }: { name: string }) {
  const Drawing = DRAWINGS[name];
  if (!Drawing) throw new Error(`No drawing is named ${name}.`);
  return (
    <svg className={styles.drawing} viewBox="0 0 240 160" aria-hidden="true">
      <Drawing />
    </svg>
  );
}
