/** The state of the operator's own service. The reader's browser asks the API for it. */
import { graphql, type HeadProps, Link, type PageProps } from 'gatsby';
import { PageHead } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';
import { FEED, StatusBoard } from '../features/status/status-board';
import * as styles from '../features/status/status-board.module.css';

type Data = QueryData<Queries.StatusPageQuery>;

export default function StatusPage({ data }: PageProps<Data>) {
  const { title, lead, noScript, how, ...texts } = data.contentStatus;
  return (
    <>
      <PageIntro heading={title} lead={lead} />
      <noscript>
        <p>{noScript}</p>
      </noscript>
      <StatusBoard
        texts={texts}
        days={data.contractLimits.health.historyDays}
        incidentDays={data.contractLimits.incidents.retentionDays}
      />
      <Section heading={how.heading}>
        <div className={`prose ${styles.how}`}>
          {how.text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p>
            <Link to={how.link.to}>{how.link.label}</Link>
          </p>
        </div>
      </Section>
    </>
  );
}

/** The page is not counted: its policy lets it connect to the API only. */
export const Head = ({ data, location }: HeadProps<Data>) => (
  <PageHead path={location.pathname} frontmatter={data.contentStatus} isCounted={false}>
    <link rel="alternate" type="application/atom+xml" href={FEED} title={data.contentStatus.incidents.feed} />
  </PageHead>
);

export const query = graphql`
  query StatusPage($id: String!) {
    contentStatus(id: { eq: $id }) {
      ...PageMeta lead noScript loading allAvailable someUnavailable asOf available unavailable
      bar oldest newest share tooLittle noMeasurement noRecords
      unreachable { heading text }
      components { name label text }
      legend { fine gaps partial outage none }
      table { summary label day available partial unavailable missing }
      incidents {
        now current planned past none unknown stale affects since range feed
        statuses { scheduled inProgress investigating identified monitoring resolved }
        impacts { none degraded partialOutage outage }
      }
      how { heading text link { label to } }
    }
    contractLimits { health { historyDays } incidents { retentionDays } }
  }
`;
