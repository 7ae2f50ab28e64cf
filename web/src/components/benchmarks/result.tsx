import { fill } from '../../fill';
import { DataTable } from '../ui/data-table';
import { Headings } from '../ui/headings';
import { Status } from '../ui/status';
import * as styles from './benchmarks.module.css';

type Data = QueryData<Queries.BenchmarksPageQuery>;

type BenchmarkResult = Data['allBenchmarkResult']['nodes'][number];
type ResultTexts = Data['contentBenchmarks']['results'];
type SampleTexts = Pick<ResultTexts, 'interval' | 'range'>;
type FigureText = Pick<BenchmarkResult['figures'][number], 'what' | 'valueText' | 'sampleText'>;

/** The fragment of the benchmark page's address that leads to a measurement. */
export const anchorOf = (name: string) => name.replace('/', '-');

/** One measurement: its question, its provenance, and each of its figures. */
export function Result({ result, texts }: { result: BenchmarkResult; texts: ResultTexts }) {
  const { name, variant, question, measuredAt, commit, machine, staleBuild, retired, note, figures } = result;
  const title = variant ? `${name}-${variant}` : name;
  return (
    <section id={anchorOf(title)} className={styles.result} data-source="results">
      <div>
        <h3>{title}</h3>
        <p className={styles.question}>{question}</p>
        <p className={styles.provenance}>
          {measuredAt}. {fill(texts.machine, { ...machine, memory: machine.memoryGiB, commit })}{' '}
          {staleBuild && texts.stale} {note} {retired && fill(texts.retired, { reason: retired })}
        </p>
      </div>
      {figures.length > 0 ? (
        <div className={styles.bars}>
          <DataTable label={fill(texts.label, { name: title })}>
            <Headings labels={[texts.what, texts.seen, texts.bar, texts.reached]} />
            <tbody>
              {figures.map(({ what, valueText, sampleText, targetText, better, reached }) => (
                <tr key={what}>
                  <FigureCells what={what} valueText={valueText} sampleText={sampleText} texts={texts} />
                  <td>{fill(better === 'higher' ? texts.higher : texts.lower, { bar: targetText })}</td>
                  <td>
                    <Status status={reached ? 'reached' : 'missed'} label={reached ? texts.yes : texts.no} />
                  </td>
                </tr>
              ))}
            </tbody>
          </DataTable>
        </div>
      ) : (
        <p>{texts.noBars}</p>
      )}
    </section>
  );
}

/** The name of a figure, and its value with its sample: the 95 % interval, or the range of its rounds. */
export function FigureCells({ what, valueText, sampleText, texts }: FigureText & { texts: SampleTexts }) {
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
                {fill(isInterval ? texts.interval : texts.range, { low, high })}
              </>
            )}
          </small>
        )}
      </td>
    </>
  );
}
