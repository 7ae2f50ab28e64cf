import * as styles from './examples.module.css';
import type { Example } from './reference-data';

interface ExamplesProps {
  heading: string;
  examples: readonly Example[];
  /** Whether the first example is open initially. */
  isOpen?: boolean | undefined;
}

/** Example bodies of the contract, each in a disclosure. */
export function Examples({ heading, examples, isOpen = false }: ExamplesProps) {
  if (examples.length === 0) return null;
  return (
    <div className={styles.examples}>
      <p className={styles.heading}>{heading}</p>
      {examples.map(({ label, html }, position) => (
        <details key={label} open={isOpen && position === 0}>
          <summary>{label}</summary>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the build writes it from the contract. */}
          <div dangerouslySetInnerHTML={{ __html: html }} />
        </details>
      ))}
    </div>
  );
}
