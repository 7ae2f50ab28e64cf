/** Claims as they are stated, each beside what we measured. */
import { Link } from 'gatsby';
import * as styles from './claims.module.css';
import { useClaims } from './use-claims';

/** `ids` names claims of content/claims.json, in the order to be shown. */
export function Claims({ ids }: { ids: readonly string[] }) {
  const { claims, measured, page, unmeasured } = useClaims();
  return (
    <dl className={styles.claims}>
      {ids.map((id) => {
        const claim = claims.find(({ claimId }) => claimId === id);
        if (!claim) throw new Error(`content/claims.json has no claim named ${id}.`);
        const figure = claim.figure?.text;
        return (
          <div key={id}>
            <dt>{claim.label}</dt>
            <dd className={styles.value}>{claim.value}</dd>
            <dd className={styles.measured}>
              <Link to={`${page}#${id}`}>{figure ? measured.replace('{figure}', figure) : unmeasured}</Link>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
