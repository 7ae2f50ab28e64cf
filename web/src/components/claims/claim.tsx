/** A claim with all of its evidence. Other pages link to its id. */
import { Link as GatsbyLink } from 'gatsby';
import type { ReactNode } from 'react';
import { fill } from '../../fill';
import { anchorOf } from '../benchmarks/result';
import { Status } from '../ui/status';
import * as styles from './claims.module.css';

type Texts = QueryData<Queries.ClaimsPageQuery>['contentClaims'];
type ProvenClaim = Texts['groups'][number]['claims'][number];

type ClaimProps = ProvenClaim & { labels: Texts['labels']; state: string };

export function Claim({ labels, state, ...claim }: ClaimProps) {
  const { claimId, label, headline, line, details, limit, link, status, target, result } = claim;
  return (
    <section id={claimId} className={styles.claim}>
      <div>
        <h3>{label}</h3>
        <p className={styles.state}>
          <Status status={status} label={state} />
        </p>
        {target && (
          <p className={styles.state} data-target>
            {fill(labels.target, { target: target.text })}
          </p>
        )}
      </div>
      <div className={styles.evidence}>
        {headline && (
          <p className={styles.headline} data-source="claims">
            {headline}
          </p>
        )}
        <p>{line}</p>
        {details && <p className={styles.details}>{details}</p>}
        {limit && (
          <p className={styles.details}>
            <strong>{labels.limit}:</strong> {limit}
          </p>
        )}
        {link && (
          <p className={styles.details}>
            <GatsbyLink to={link.to}>{link.label}</GatsbyLink>
          </p>
        )}
        {result && (
          <>
            <p className={styles.details} data-source="results">
              <GatsbyLink to={`/benchmarks#${anchorOf(result.name)}`}>{result.name}</GatsbyLink>{' '}
              {fill(labels.measured, { ...result.machine, date: result.measuredAt, commit: result.commit })}
            </p>
            <pre className={styles.command}>
              <code>{fill(labels.command, { measurement: result.name })}</code>
            </pre>
          </>
        )}
      </div>
    </section>
  );
}

interface NumbersProps {
  label: string;
  rows: readonly { number: ReactNode; source: ReactNode }[];
}

/** Numbers beside their sources, or above them on narrow screens. */
export function Numbers({ label, rows }: NumbersProps) {
  return (
    <ul className={styles.numbers} aria-label={label}>
      {rows.map(({ number, source }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are static.
        <li key={position}>
          <div>{number}</div>
          <div className={styles.source}>{source}</div>
        </li>
      ))}
    </ul>
  );
}
