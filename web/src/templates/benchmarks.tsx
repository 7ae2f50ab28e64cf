/** Every target that we set ourselves beside the measured figure, and how to repeat the measurement. */
import { Link as GatsbyLink, graphql, type PageProps } from 'gatsby';
import * as styles from '../components/benchmarks/benchmarks.module.css';
import { Result } from '../components/benchmarks/result';
import { headOf } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';
import { fill } from '../fill';

type Data = QueryData<Queries.BenchmarksPageQuery>;

export default function BenchmarksPage({ data }: PageProps<Data>) {
  const { heading, lead, summary, claims, results, repeat } = data.contentBenchmarks;
  const figures = data.allBenchmarkResult.nodes.flatMap((result) => result.figures);
  const reached = figures.filter((figure) => figure.reached).length;
  return (
    <>
      <PageIntro heading={heading} lead={lead}>
        <p className={styles.summary} data-source="results">
          {fill(summary, { reached, total: figures.length })}
        </p>
        <p>
          <GatsbyLink to={claims.to}>{claims.label}</GatsbyLink>
        </p>
      </PageIntro>
      <Section heading={results.heading} lead={results.lead}>
        {data.allBenchmarkResult.nodes.map((result) => (
          <Result key={result.name + result.variant} result={result} texts={results} />
        ))}
      </Section>
      <Section id="repeat" heading={repeat.heading} lead={repeat.lead}>
        <div className={styles.commands}>
          {repeat.commands.map(({ text, html }) => (
            <div key={text}>
              <p>{text}</p>
              {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the build highlights it. */}
              <div dangerouslySetInnerHTML={{ __html: html }} />
            </div>
          ))}
        </div>
        <div className={styles.notes}>
          <p>{repeat.material}</p>
          <p>{repeat.report}</p>
        </div>
      </Section>
    </>
  );
}

export const Head = headOf((data: Data) => data.contentBenchmarks);

export const query = graphql`
  query BenchmarksPage($id: String!) {
    contentBenchmarks(id: { eq: $id }) {
      ...PageMeta heading lead summary
      claims { label to }
      results {
        heading lead label what seen interval range bar reached yes no higher lower machine stale retired
        noBars
      }
      repeat { heading lead commands { text html } material report }
    }
    allBenchmarkResult(sort: [{name: ASC}, {variant: ASC}]) {
      nodes {
        name variant question measuredAt(formatString: "D MMMM YYYY") commit staleBuild retired note
        machine { cpu cores memoryGiB node }
        figures { what valueText sampleText { count isInterval low high } targetText better reached }
      }
    }
  }
`;
