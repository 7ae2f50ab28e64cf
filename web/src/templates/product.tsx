/** The page of one product. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Claims } from '../components/marketing/claims';
import { Closing } from '../components/marketing/closing';
import { PageHead } from '../components/page-head/page-head';
import { ProductLayout } from '../components/product/product-layout';
import {
  Categories,
  Hero,
  Messages,
  Specifications,
  Steps,
  TextGrid,
} from '../components/product/product-sections';
import * as styles from '../components/product/product-sections.module.css';
import { CodeInText } from '../components/ui/code-in-text';
import { Disclosure } from '../components/ui/disclosure';
import { Section } from '../components/ui/section';
import { Demo } from '../features/demos/demo';

type Data = QueryData<Queries.ProductPageQuery>;

export default function ProductPage({ data }: PageProps<Data>) {
  const { contentProducts: page, contentProductPage: texts } = data;
  const { back, headings, sidebar, start } = texts;
  const { boundaries, capabilities, categories, exchange, product } = page;
  const specifications = [...page.specifications, { term: texts.counted, text: product.unit }];
  return (
    <>
      <ProductLayout back={back} products={data.allContentProducts.nodes} {...sidebar}>
        <Hero {...page} start={start} />
        <div className={styles.demo}>
          <Demo product={product.productId} />
        </div>
        <div className={styles.claims}>
          <Claims ids={page.claims} />
          <p>{texts.claims}</p>
        </div>
        <Section id="how-it-works" heading={headings.howItWorks}>
          <Steps {...page} />
        </Section>
        {categories && (
          <Section id="categories" heading={categories.heading} lead={categories.lead}>
            <Categories {...categories} />
          </Section>
        )}
        <Section id="capabilities" heading={headings.capabilities} lead={capabilities.lead}>
          <TextGrid items={capabilities.items} />
        </Section>
        <Section id="boundaries" heading={boundaries.heading} lead={boundaries.lead}>
          <TextGrid items={boundaries.items} />
        </Section>
        <Section id="exchange" heading={headings.exchange} lead={<CodeInText>{exchange.text}</CodeInText>}>
          <Messages {...exchange} />
        </Section>
        <Section id="specifications" heading={headings.specifications}>
          <Specifications specifications={specifications} />
        </Section>
        <Section id="perfect-for" heading={headings.perfectFor}>
          <TextGrid items={page.perfectFor} layout="rows" />
        </Section>
        <Section id="faq" heading={headings.faq}>
          <div className={styles.questions}>
            {page.faq.map(({ question, text }) => (
              <Disclosure key={question} summary={question}>
                <p>{text}</p>
              </Disclosure>
            ))}
          </div>
        </Section>
      </ProductLayout>
      <Closing {...page.closing} />
    </>
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <PageHead
    path={location.pathname}
    frontmatter={data.contentProducts}
    questions={data.contentProducts.faq}
  />
);

export const query = graphql`
  query ProductPage($id: String!) {
    contentProducts(id: { eq: $id }) {
      ...PageMeta
      product { productId unit }
      hero { heading text }
      claims
      howItWorks { drawing heading text }
      categories { heading lead items { drawing heading type text } }
      capabilities { lead items { heading text } }
      boundaries { heading lead items { heading text } }
      exchange { text operation reference { label to } messages { label example { name html } } }
      specifications { term text }
      perfectFor { heading text }
      faq { question text }
      closing { ...Closing }
    }
    allContentProducts(sort: { position: ASC }) { nodes { path name } }
    contentProductPage {
      back { label to }
      sidebar { label links { label to } }
      claims
      headings { howItWorks capabilities exchange specifications perfectFor faq }
      counted start
    }
  }
`;
