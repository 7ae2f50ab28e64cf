import { Link } from 'gatsby';
import * as styles from './messages.module.css';
import type { Product } from './product';

/** What goes over the wire, as the contract's examples have it, coloured while the site is built. */
export function Messages({ operation, reference, messages }: Product['exchange']) {
  return (
    <>
      <div className={styles.messages}>
        {messages.map(({ label, example }, position) => (
          <figure key={example.name}>
            <figcaption>
              {label} {position === 0 && <code>{operation}</code>}
            </figcaption>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by gatsby/highlight.mjs from the contract. */}
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
