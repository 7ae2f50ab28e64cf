/** The FAQ; each question has its own address. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { PageHead } from '../components/page-head/page-head';
import * as styles from '../components/support/faq.module.css';
import { Questions } from '../components/support/questions';
import { BackLink } from '../components/ui/back-link';
import { ButtonLink } from '../components/ui/button';
import { PageIntro } from '../components/ui/page-intro';

type Data = QueryData<Queries.FaqPageQuery>;

export default function FaqPage({ data }: PageProps<Data>) {
  const { title, lead, back, more, questions } = data.contentFaq;
  return (
    <div className={styles.page}>
      <BackLink {...back} />
      <PageIntro heading={title} lead={lead} />
      <Questions questions={questions} />
      <aside className={styles.more}>
        <div>
          <h2>{more.heading}</h2>
          <p>{more.text}</p>
        </div>
        <ButtonLink to={more.link.to}>{more.link.label}</ButtonLink>
      </aside>
    </div>
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <PageHead
    path={location.pathname}
    frontmatter={data.contentFaq}
    questions={data.contentFaq.questions.map(({ question, text }) => ({ question, text: text.join(' ') }))}
  />
);

export const query = graphql`
  query FaqPage($id: String!) {
    contentFaq(id: { eq: $id }) {
      ...PageMeta lead
      back { label to }
      more { heading text link { label to } }
      questions { slug question text links { label to } }
    }
  }
`;
