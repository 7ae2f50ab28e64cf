import { fill } from '../../fill';
import { DataTable } from '../ui/data-table';
import { Status } from '../ui/status';
import * as styles from './benchmarks.module.css';
import { anchorOf, type BenchmarkResult, type ResultWords, type SampleText } from './results';

/** One measurement with its question, provenance and bars. */
export function Result({ result, words }: { result: BenchmarkResult; words: ResultWords }) {
  const { name, variant, question, date, commit, machine, staleBuild, note, bars } = result;
  const title = variant ? `${name}-${variant}` : name;
  return (
    <section id={anchorOf(title)} className={styles.result} data-source="results">
      <div>
        <h3>{title}</h3>
        <p className={styles.question}>{question}</p>
        <p className={styles.provenance}>
          {date}. {fill(words.machine, { ...machine, memory: machine.memoryGiB, commit })}{' '}
          {staleBuild && words.stale} {note}
        </p>
      </div>
      {bars.length > 0 ? (
        <div className={styles.bars}>
          <DataTable label={fill(words.label, { name: title })}>
            <thead>
              <tr>
                {[words.what, words.seen, words.bar, words.reached].map((heading) => (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bars.map(({ what, seenText, sampleText, barText, better, reached }) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td>
                    {seenText}
                    {sampleText && <Sample {...sampleText} words={words} />}
                  </td>
                  <td>{fill(better === 'higher' ? words.higher : words.lower, { bar: barText })}</td>
                  <td>
                    <Status status={reached ? 'reached' : 'missed'} label={reached ? words.yes : words.no} />
                  </td>
                </tr>
              ))}
            </tbody>
          </DataTable>
        </div>
      ) : (
        <p>{words.noBars}</p>
      )}
    </section>
  );
}

function Sample({ count, isInterval, low, high, words }: SampleText & { words: ResultWords }) {
  return (
    <small className={styles.sample}>
      {count}
      {low && high && (
        <>
          <br />
          {fill(isInterval ? words.interval : words.range, { low, high })}
        </>
      )}
    </small>
  );
}
