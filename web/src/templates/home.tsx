/** The home page: what the service does, shown four times, and how to start it. */
import { graphql, type HeadProps, type PageProps } from 'gatsby';
import { Feature } from '../components/home/feature';
import { Hero, type HeroProps } from '../components/home/hero';
import type { AnswerFace } from '../components/home/mockups/answer-face';
import { Mockup } from '../components/home/mockups/mockup';
import { QuickStart } from '../components/home/quick-start';
import { type Reason, Why } from '../components/home/why';
import { Closing, type ClosingWords } from '../components/marketing/closing';
import { type Frontmatter, PageHead } from '../components/page-head/page-head';
import type { Link } from '../components/use-site';
import { fill } from '../fill';

interface HomeData {
  mdx: { frontmatter: Frontmatter };
  contentHome: {
    hero: HeroProps;
    figureLabel: string;
    features: HomeFeature[];
    why: { heading: string; items: Reason[] };
    quickStart: { heading: string; lead: string };
    closing: ClosingWords;
  };
  contentVerify: { movements: { name: string; text: string }[] };
  allProductAnswer: { nodes: { productId: string; operation: string; html: string; faces: AnswerFace[] }[] };
  allContractProduct: { nodes: { productId: string; label: string }[] };
  contractLimits: { thresholds: { similarityDefault: number }; liveness: { attempt: { steps: number } } };
}

interface HomeFeature {
  productId: string;
  anchor: string;
  heading: string;
  text: string;
  points: string[];
  claims: string[];
  link: Link;
  drawing: string | null;
  answer: string;
  movements: string[] | null;
}

export default function HomePage({ data, children }: PageProps<HomeData>) {
  const { hero, features, figureLabel, why, quickStart, closing } = data.contentHome;
  const { thresholds, liveness } = data.contractLimits;
  return (
    <>
      <Hero {...hero} />
      {features.map(({ productId, anchor, drawing, answer, movements, ...words }, position) => {
        const product = data.allContractProduct.nodes.find((node) => node.productId === productId);
        const example = data.allProductAnswer.nodes.find((node) => node.productId === productId);
        return (
          product &&
          example && (
            <Feature key={productId} id={anchor} {...words}>
              <Mockup
                {...example}
                number={fill(figureLabel, { number: position + 1 })}
                title={product.label}
                label={drawing ?? ''}
                answerLabel={answer}
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

export const Head = ({ data, location }: HeadProps<HomeData>) => (
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
        drawing answer movements
      }
      why { heading items { heading text claims facts } }
      quickStart { heading lead }
      closing { ...Closing }
    }
    contentVerify { movements { name text } }
    allProductAnswer {
      nodes {
        productId operation html
        faces { similarity confidence boundingBox { left top width height } }
      }
    }
    allContractProduct { nodes { productId label: name } }
    contractLimits { thresholds { similarityDefault } liveness { attempt { steps } } }
  }
`;
