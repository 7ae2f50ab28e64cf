/** The support page: FAQ, contact addresses and quick links. */
import { graphql, type HeadProps, Link, type PageProps } from 'gatsby';
import { PageHead } from '../components/page-head/page-head';
import { Addresses } from '../components/support/addresses';
import * as styles from '../components/support/support.module.css';
import { ButtonLink } from '../components/ui/button';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';

type Data = QueryData<Queries.SupportPageQuery>;

export default function SupportPage({ data }: PageProps<Data>) {
  const { title, lead, faq, contact, quickLinks } = data.contentSupport;
  return (
    <>
      <PageIntro heading={title} lead={lead} />
      <div className={styles.cards}>
        <section className={styles.card}>
          <h2>{faq.heading}</h2>
          <p>{faq.text}</p>
          <p className={styles.action}>
            <ButtonLink to={faq.link.to}>{faq.link.label}</ButtonLink>
          </p>
        </section>
        <section className={styles.card}>
          <h2>{contact.heading}</h2>
          <p>{contact.text}</p>
          <Addresses addresses={contact.addresses} />
        </section>
      </div>
      <Section heading={quickLinks.heading}>
        <ul className={styles.links}>
          {quickLinks.links.map(({ label, text, to }) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <PageHead path={location.pathname} frontmatter={data.contentSupport} />
);

export const query = graphql`
  query SupportPage($id: String!) {
    contentSupport(id: { eq: $id }) {
      ...PageMeta lead
      faq { heading text link { label to } }
      contact { heading text addresses { name label } }
      quickLinks { heading links { label text to } }
    }
  }
`;
