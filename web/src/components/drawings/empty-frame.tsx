import { CropBrackets } from './crop-brackets';
import * as styles from './drawings.module.css';

/** Decoration: crop brackets and guide lines without a face. */
export function EmptyFrame() {
  return (
    <svg className={styles.drawing} viewBox="0 0 320 320" aria-hidden="true">
      <path className={styles.guide} d="M160 24v18M160 278v18M24 160h18M278 160h18M154 160h12M160 154v12" />
      <ellipse className={styles.leader} cx="160" cy="160" rx="78" ry="102" />
      <CropBrackets x={24} y={24} width={272} height={272} arm={30} />
    </svg>
  );
}
