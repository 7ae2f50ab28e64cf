/** All products, one card each. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { ProductCard } from '../components/catalogue/product-card';
import * as styles from '../components/catalogue/product-card.module.css';
import { Closing } from '../components/marketing/closing';
import { TitledList } from '../components/marketing/titled-list';
import { PageHead } from '../components/page-head/page-head';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';

type Data = QueryData<Queries.CataloguePageQuery>;

export default function CataloguePage({ data }: PageProps<Data>) {
  const { heading, lead, unit: unitLabel, learnMore, cards, why, closing } = data.contentCatalogue;
  return (
    <>
      <PageIntro heading={heading} lead={lead} />
      <ul className={styles.cards}>
        {cards.map((card) => {
          const product = data.allContractProduct.nodes.find(({ productId }) => productId === card.productId);
          return (
            product && (
              <ProductCard
                key={card.productId}
                {...card}
                label={product.label}
                unit={product.unit}
                unitLabel={unitLabel}
                learnMore={learnMore}
              />
            )
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

export const Head = ({ data, location }: HeadProps<Data>) => (
  <PageHead path={location.pathname} frontmatter={data.contentCatalogue} />
);

export const query = graphql`
  query CataloguePage($id: String!) {
    contentCatalogue(id: { eq: $id }) {
      ...PageMeta heading lead unit learnMore
      cards { productId to text uses }
      why { heading lead items { heading text } }
      closing { ...Closing }
    }
    allContractProduct { nodes { productId label: name unit } }
  }
`;
