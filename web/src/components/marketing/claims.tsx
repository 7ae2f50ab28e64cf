/** Claims with their figures, samples and status. */
import { graphql, Link, useStaticQuery } from 'gatsby';
import { fill } from '../../fill';
import { Status } from '../ui/status';
import * as styles from './claims.module.css';

/** `ids` of claims in content/claims.json, in display order. */
export function Claims({ ids }: { ids: readonly string[] }) {
  const { claims, labels, path, stateOf } = useClaims();
  return (
    <dl className={styles.claims}>
      {ids.map((id) => {
        const claim = claims.find(({ claimId }) => claimId === id);
        if (!claim) throw new Error(`content/claims.json has no claim named ${id}.`);
        const { label, headline, line, status, target } = claim;
        return (
          <div key={id}>
            <dt>{label}</dt>
            <dd className={styles.value} data-source="claims">
              {headline ?? <Status status={status} label={stateOf(status)} />}
            </dd>
            <dd className={styles.line}>{line}</dd>
            {target && (
              <dd className={styles.line} data-target>
                {fill(labels.target, { target: target.text })}
              </dd>
            )}
            <dd className={styles.state}>
              {headline && <Status status={status} label={stateOf(status)} />}
              <Link to={`${path}#${id}`} aria-label={fill(labels.evidenceFor, { label })}>
                {labels.evidence}
              </Link>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface FactsProps {
  facts: readonly {
    headline: string;
    label: string;
    line: string;
    link: { label: string; to: string } | null;
  }[];
}

/** Figures in the form of claims, without status and evidence. */
export const Facts = ({ facts }: FactsProps) => (
  <dl className={styles.claims}>
    {facts.map(({ headline, label, line, link }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd className={styles.value} data-source="facts">
          {headline}
        </dd>
        <dd className={styles.line}>{line}</dd>
        {link && (
          <dd className={styles.state}>
            <Link to={link.to}>{link.label}</Link>
          </dd>
        )}
      </div>
    ))}
  </dl>
);

/** All claims of the site with figure, status and address of the evidence. */
function useClaims() {
  const { contentClaims } = useStaticQuery<QueryData<Queries.ClaimsQuery>>(graphql`
    query Claims {
      contentClaims {
        path
        labels { target evidence evidenceFor }
        states { name label }
        groups { claims { claimId label headline line status target { text } } }
      }
    }
  `);
  const { path, labels, states, groups } = contentClaims;
  return {
    path,
    labels,
    claims: groups.flatMap(({ claims }) => claims),
    stateOf: (status: string) => states.find(({ name }) => name === status)?.label ?? status,
  };
}
