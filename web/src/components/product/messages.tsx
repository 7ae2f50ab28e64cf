import { Link } from 'gatsby';
import * as styles from './messages.module.css';
import type { Product } from './product';

/** Example messages of the contract, highlighted by the build. */
export function Messages({ operation, reference, messages }: Product['exchange']) {
  return (
    <>
      <div className={styles.messages}>
        {messages.map(({ label, example }, position) => (
          <figure key={example.name}>
            <figcaption>
              {label} {position === 0 && <code>{operation}</code>}
            </figcaption>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: gatsby/highlight.mjs writes it from the contract. */}
            <div dangerouslySetInnerHTML={{ __html: example.html }} />
          </figure>
        ))}
      </div>
      <p className={styles.reference}>
        <Link to={reference.to}>{reference.label}</Link>
      </p>
    </>
  );
}
