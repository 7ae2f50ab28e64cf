import { fill } from '../../fill';
import { DataTable } from '../ui/data-table';
import { Headings } from '../ui/headings';
import { Status } from '../ui/status';
import * as styles from './benchmarks.module.css';

type Data = QueryData<Queries.BenchmarksPageQuery>;

type BenchmarkResult = Data['allBenchmarkResult']['nodes'][number];
/** The sample of a figure: its 95 % interval, or the range of its rounds. */
type SampleText = NonNullable<BenchmarkResult['figures'][number]['sampleText']>;
type ResultWords = Data['contentBenchmarks']['results'];
type SampleProps = SampleText & { words: Pick<ResultWords, 'interval' | 'range'> };

/** The fragment of the benchmark page's address that leads to a measurement. */
export const anchorOf = (name: string) => name.replace('/', '-');

/** One measurement: its question, its provenance, and each of its figures. */
export function Result({ result, words }: { result: BenchmarkResult; words: ResultWords }) {
  const { name, variant, question, measuredAt, commit, machine, staleBuild, retired, note, figures } = result;
  const title = variant ? `${name}-${variant}` : name;
  return (
    <section id={anchorOf(title)} className={styles.result} data-source="results">
      <div>
        <h3>{title}</h3>
        <p className={styles.question}>{question}</p>
        <p className={styles.provenance}>
          {measuredAt}. {fill(words.machine, { ...machine, memory: machine.memoryGiB, commit })}{' '}
          {staleBuild && words.stale} {note} {retired && fill(words.retired, { reason: retired })}
        </p>
      </div>
      {figures.length > 0 ? (
        <div className={styles.bars}>
          <DataTable label={fill(words.label, { name: title })}>
            <Headings words={[words.what, words.seen, words.bar, words.reached]} />
            <tbody>
              {figures.map(({ what, valueText, sampleText, targetText, better, reached }) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td>
                    {valueText}
                    {sampleText && <Sample {...sampleText} words={words} />}
                  </td>
                  <td>{fill(better === 'higher' ? words.higher : words.lower, { bar: targetText })}</td>
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

export function Sample({ count, isInterval, low, high, words }: SampleProps) {
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
