/** The home page: four products, reasons, and the quick start. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Feature } from '../components/home/feature';
import { Hero } from '../components/home/hero';
import { Mockup } from '../components/home/mockups/mockup';
import { QuickStart } from '../components/home/quick-start';
import { Why } from '../components/home/why';
import { Closing } from '../components/marketing/closing';
import { PageHead } from '../components/page-head/page-head';
import { fill } from '../fill';

type Data = QueryData<Queries.HomePageQuery>;

export default function HomePage({ data, children }: PageProps<Data>) {
  const { hero, features, figureLabel, why, quickStart, closing } = data.contentHome;
  const { thresholds, liveness } = data.contractLimits;
  return (
    <>
      <Hero {...hero} />
      {features.map(({ productId, anchor, drawing, response, movements, ...words }, position) => {
        const product = data.allContractProduct.nodes.find((node) => node.productId === productId);
        const example = data.allProductExample.nodes.find((node) => node.productId === productId);
        return (
          product &&
          example && (
            <Feature key={productId} id={anchor} {...words}>
              <Mockup
                {...example}
                number={fill(figureLabel, { number: position + 1 })}
                title={product.label}
                label={drawing ?? ''}
                responseLabel={response}
                threshold={thresholds.similarityDefault}
                steps={liveness.attempt.steps}
                movements={(movements ?? []).flatMap((name) =>
                  data.contentVerify.movements.filter((movement) => movement.name === name),
                )}
              />
            </Feature>
          )
        );
      })}
      <Why {...why} />
      <QuickStart {...quickStart}>{children}</QuickStart>
      <Closing {...closing} />
    </>
  );
}

export const Head = ({ data, location }: HeadProps<Data>) => (
  <PageHead path={location.pathname} frontmatter={data.mdx.frontmatter} />
);

export const query = graphql`
  query HomePage($id: String!) {
    mdx(id: { eq: $id }) { frontmatter { ...TextMeta } }
    contentHome {
      hero { heading lead start documentation { label to } drawing command commandNote }
      figureLabel
      features {
        productId anchor heading text points claims
        link { label to }
        drawing response movements
      }
      why { heading items { heading text claims facts } }
      quickStart { heading lead }
      closing { ...Closing }
    }
    contentVerify { movements { name text } }
    allProductExample {
      nodes {
        productId operation html
        faces { similarity confidence boundingBox { left top width height } }
      }
    }
    allContractProduct { nodes { productId label: name } }
    contractLimits { thresholds { similarityDefault } liveness { attempt { steps } } }
  }
`;
