import { fill } from '../../fill';
import { DataTable } from '../ui/data-table';
import { Headings } from '../ui/headings';
import { Status } from '../ui/status';
import * as styles from './benchmarks.module.css';

type Data = QueryData<Queries.BenchmarksPageQuery>;

type BenchmarkResult = Data['allBenchmarkResult']['nodes'][number];
type ResultWords = Data['contentBenchmarks']['results'];
type SampleWords = Pick<ResultWords, 'interval' | 'range'>;
type FigureText = Pick<BenchmarkResult['figures'][number], 'what' | 'valueText' | 'sampleText'>;

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
                  <FigureCells {...{ what, valueText, sampleText, words }} />
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

/** The name of a figure, and its value with its sample: the 95 % interval, or the range of its rounds. */
export function FigureCells({ what, valueText, sampleText, words }: FigureText & { words: SampleWords }) {
  const { count, isInterval, low, high } = sampleText ?? {};
  return (
    <>
      <th scope="row">{what}</th>
      <td>
        {valueText}
        {sampleText && (
          <small className={styles.sample}>
            {count}
            {low && high && (
              <>
                <br />
                {fill(isInterval ? words.interval : words.range, { low, high })}
              </>
            )}
          </small>
        )}
      </td>
    </>
  );
}
