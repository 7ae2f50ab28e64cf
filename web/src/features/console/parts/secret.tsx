import { CopyButton } from '../../../components/code/copy-button';
import * as styles from './secret.module.css';

/** A text to copy: a key, a secret or a command. */
export const Secret = ({ label, text }: { label: string; text: string }) => (
  <div className={styles.secret}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll. */}
    <section className={styles.text} aria-label={label} tabIndex={0}>
      <code>{text}</code>
    </section>
    <CopyButton read={() => text} />
  </div>
);
