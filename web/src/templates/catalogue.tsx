/** All products, one card each. */
import { graphql, Link, type PageProps } from 'gatsby';
import * as styles from '../components/catalogue/catalogue.module.css';
import { Closing } from '../components/marketing/closing';
import { TitledList } from '../components/marketing/titled-list';
import { headOf } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';
import { Illustration } from '../features/illustrations/illustration';

type Data = QueryData<Queries.CataloguePageQuery>;

export default function CataloguePage({ data }: PageProps<Data>) {
  const { heading, lead, unit, learnMore, cards, why, closing } = data.contentCatalogue;
  return (
    <>
      <PageIntro heading={heading} lead={lead} />
      <ul className={styles.cards}>
        {cards.map((card) => {
          const product = data.allContractProduct.nodes.find(({ productId }) => productId === card.productId);
          if (!product) return null;
          return (
            <li key={card.productId} className={styles.card}>
              <div className={styles.drawing}>
                <Illustration productId={card.productId} labels={card.images} />
              </div>
              <div className={styles.words}>
                <h2>{product.label}</h2>
                <p>{card.text}</p>
                <p className={styles.uses}>{card.uses}</p>
                <p className={styles.unit}>
                  <strong>{unit}</strong> {product.unit}
                </p>
                <p className={styles.more}>
                  <Link to={card.to}>
                    {learnMore}
                    <span className="visually-hidden">{`: ${product.label}`}</span>
                  </Link>
                </p>
              </div>
            </li>
          );
        })}
      </ul>
      <Section heading={why.heading} lead={why.lead}>
        <TitledList items={why.items} />
      </Section>
      <Closing {...closing} />
    </>
  );
}

export const Head = headOf((data: Data) => data.contentCatalogue);

export const query = graphql`
  query CataloguePage($id: String!) {
    contentCatalogue(id: { eq: $id }) {
      ...PageMeta heading lead unit learnMore
      cards { productId to text uses images }
      why { heading lead items { heading text } }
      closing { ...Closing }
    }
    allContractProduct { nodes { productId label: name unit } }
  }
`;
