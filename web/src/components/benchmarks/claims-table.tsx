import { fill } from '../../fill';
import { DataTable } from '../ui/data-table';
import * as styles from './benchmarks.module.css';
import { anchorOf } from './results';
import { Status } from './status';

interface ClaimSource {
  name: string;
  date: string;
  commit: string;
  machine: { cpu: string; cores: number };
}

export interface MeasuredClaim {
  claimId: string;
  value: string;
  label: string;
  how: string;
  status: 'reached' | 'missed' | 'unmeasured';
  figure: {
    text: string | null;
    result: ClaimSource | null;
  } | null;
}

export interface ClaimsWords {
  machine: string;
  label: string;
  claim: string;
  figure: string;
  how: string;
  source: string;
  status: string;
  reached: string;
  missed: string;
  unmeasured: string;
}

/** Every claim beside our own figure; each row has the claim's id as its anchor. */
export function ClaimsTable({ claims, words }: { claims: MeasuredClaim[]; words: ClaimsWords }) {
  return (
    <div className={styles.claims}>
      <DataTable label={words.label}>
        <thead>
          <tr>
            {[words.claim, words.figure, words.status, words.how, words.source].map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {claims.map(({ claimId, value, label, how, status, figure }) => (
            <tr key={claimId} id={claimId}>
              <th scope="row">
                <strong className={styles.value}>{value}</strong> {label}
              </th>
              <td className={styles.value}>{figure?.text ?? '–'}</td>
              <td>
                <Status status={status} label={words[status]} />
              </td>
              <td className={styles.how}>{how}</td>
              <td className={styles.source}>
                {figure?.result && (
                  <Source {...figure.result} machine={fill(words.machine, figure.result.machine)} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </div>
  );
}

function Source({ name, date, commit, machine }: Omit<ClaimSource, 'machine'> & { machine: string }) {
  return (
    <>
      <a href={`#${anchorOf(name)}`}>{name}</a>
      <br />
      {machine}
      <br />
      {date}, <code>{commit}</code>
    </>
  );
}
