/** The about page: mission, values and products. */
import { graphql, type PageProps } from 'gatsby';
import * as styles from '../components/about/about.module.css';
import { ElevationsDrawing } from '../components/drawings/page-drawings';
import { Closing } from '../components/marketing/closing';
import { TitledList } from '../components/marketing/titled-list';
import { headOf } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';

type Data = QueryData<Queries.AboutPageQuery>;

export default function AboutPage({ data }: PageProps<Data>) {
  const { heading, lead, drawing, mission, vision, values, what, why, closing } = data.contentAbout;
  return (
    <>
      <PageIntro heading={heading} lead={lead} />
      <div className={styles.drawing}>
        <ElevationsDrawing label={drawing} />
      </div>
      <div className={styles.purpose}>
        {[mission, vision].map((part) => (
          <section key={part.heading}>
            <h2>{part.heading}</h2>
            <p>{part.text}</p>
          </section>
        ))}
      </div>
      <Section heading={values.heading} lead={values.lead}>
        <TitledList items={values.items} />
      </Section>
      <Section heading={what.heading} lead={what.lead}>
        <dl className={styles.products}>
          {data.allContractProduct.nodes.map(({ productId, label, description }) => (
            <div key={productId}>
              <dt>{label}</dt>
              <dd data-source="contract">{description}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section heading={why.heading} lead={why.lead}>
        <TitledList items={why.items} />
      </Section>
      <Closing {...closing} />
    </>
  );
}

export const Head = headOf((data: Data) => data.contentAbout);

export const query = graphql`
  query AboutPage($id: String!) {
    contentAbout(id: { eq: $id }) {
      ...PageMeta heading lead drawing
      mission { heading text }
      vision { heading text }
      values { heading lead items { heading text } }
      what { heading lead }
      why { heading lead items { heading text } }
      closing { ...Closing }
    }
    allContractProduct(sort: { position: ASC }) { nodes { productId label: name description } }
  }
`;
