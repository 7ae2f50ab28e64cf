/** The home page: what the service does, and how to start it. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Hero } from '../components/home/hero';
import { type Product, Products } from '../components/home/products';
import { QuickStart } from '../components/home/quick-start';
import { type Frontmatter, PageHead } from '../components/page-head/page-head';
import type { Link } from '../components/use-site';

export interface SectionIntro {
  heading: string;
  lead: string;
}

interface HomeData {
  mdx: {
    frontmatter: Frontmatter & {
      hero: SectionIntro & { actions: Link[]; drawing: string };
      products: SectionIntro;
      quickStart: SectionIntro;
    };
  };
  allContractProduct: { nodes: Product[] };
}

export default function HomePage({ data, children }: PageProps<HomeData>) {
  const { hero, products, quickStart } = data.mdx.frontmatter;
  return (
    <>
      <Hero {...hero} />
      <Products {...products} products={data.allContractProduct.nodes} />
      <QuickStart {...quickStart}>{children}</QuickStart>
    </>
  );
}

export const Head = ({ data, location }: HeadProps<HomeData>) => (
  <PageHead path={location.pathname} frontmatter={data.mdx.frontmatter} />
);

export const query = graphql`
  query HomePage($id: String!) {
    mdx(id: { eq: $id }) {
      frontmatter {
        title
        description
        keywords
        noindex
        hero {
          heading
          lead
          drawing
          actions {
            label
            to
          }
        }
        products {
          heading
          lead
        }
        quickStart {
          heading
          lead
        }
      }
    }
    allContractProduct(sort: { position: ASC }) {
      nodes {
        productId
        label
        description
      }
    }
  }
`;
