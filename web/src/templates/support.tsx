/** The support page: FAQ, contact addresses and quick links. */
import { graphql, Link, type PageProps } from 'gatsby';
import { headOf } from '../components/page-head/page-head';
import * as styles from '../components/support/support.module.css';
import { ButtonLink } from '../components/ui/button';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';
import { useSite } from '../components/use-site';

type Data = QueryData<Queries.SupportPageQuery>;

export default function SupportPage({ data }: PageProps<Data>) {
  const { title, lead, faq, contact, quickLinks } = data.contentSupport;
  const addresses: Record<string, string> = useSite().contact;
  const addressOf = (name: string) => {
    const address = addresses[name];
    if (!address) throw new Error(`content/site.json has no address named ${name}.`);
    return address;
  };
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
          <dl className={styles.addresses}>
            {contact.addresses.map(({ name, label }) => (
              <div key={name}>
                <dt>{label}</dt>
                <dd>
                  <a href={`mailto:${addressOf(name)}`}>{addressOf(name)}</a>
                </dd>
              </div>
            ))}
          </dl>
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

export const Head = headOf((data: Data) => data.contentSupport);

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
