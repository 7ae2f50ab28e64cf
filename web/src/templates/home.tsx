/** The home page: what it is, how to use it, measured figures, four products, reasons, and the quick start. */
import { graphql, Link, type PageProps } from 'gatsby';
import { CloneCommand } from '../components/code/clone-command';
import { Figure } from '../components/home/figure';
import * as styles from '../components/home/home.module.css';
import { Phrases } from '../components/home/phrases';
import { Facts } from '../components/marketing/claims';
import { Closing } from '../components/marketing/closing';
import { Mdx } from '../components/mdx/mdx';
import { headOf } from '../components/page-head/page-head';
import { Screen } from '../components/screens/screen';
import { SignUpButton } from '../components/sign-up/sign-up-button';
import { ButtonLink } from '../components/ui/button';
import { Section } from '../components/ui/section';
import { DetectedPhoto, Illustration } from '../features/illustrations/illustration';
import { fill } from '../fill';

type Data = QueryData<Queries.HomePageQuery>;

const COMPONENTS = { CloneCommand, Screen };

export default function HomePage({ data, children }: PageProps<Data>) {
  const { hero, measured, features, figureLabel, why, quickStart, closing } = data.contentHome;
  return (
    <>
      <section className={styles.hero}>
        <div>
          <h1>
            <Phrases phrases={hero.heading} />
          </h1>
          <p className={styles.lead}>{hero.lead}</p>
          <p className={styles.actions}>
            <SignUpButton plan="free">{hero.start}</SignUpButton>
            <ButtonLink to={hero.documentation.to} variant="secondary">
              {hero.documentation.label}
            </ButtonLink>
          </p>
          <ul className={styles.ways}>
            {hero.ways.map((way) => (
              <Way key={way.heading} {...way} />
            ))}
          </ul>
        </div>
        <figure className={styles.screen}>
          <DetectedPhoto label={hero.image} />
          <figcaption>{hero.credit}</figcaption>
        </figure>
      </section>
      <section className={styles.measured}>
        <h2>{measured.heading}</h2>
        <Facts facts={measured.figures} />
        <p>
          <Link to={measured.link.to}>{measured.link.label}</Link>
        </p>
      </section>
      {features.map(({ productId, images, response, credit, ...texts }, position) => {
        const product = data.allContractProduct.nodes.find((node) => node.productId === productId);
        const example = data.allProductExample.nodes.find((node) => node.productId === productId);
        return (
          product &&
          example && (
            <Feature
              key={productId}
              {...texts}
              figure={
                <Figure
                  {...example}
                  number={fill(figureLabel, { number: position + 1 })}
                  title={product.label}
                  responseLabel={response}
                  credit={credit}
                >
                  <Illustration productId={productId} labels={images} />
                </Figure>
              }
            />
          )
        );
      })}
      <Section heading={why.heading}>
        <div className={styles.reasons}>
          {why.items.map(({ heading, text, facts }) => (
            <div key={heading}>
              <h3>{heading}</h3>
              <p>{text}</p>
              <Facts facts={facts} />
            </div>
          ))}
        </div>
      </Section>
      <section id="quick-start" className={styles.quickStart}>
        <div>
          <h2>{quickStart.heading}</h2>
          <p className={styles.text}>{quickStart.lead}</p>
        </div>
        <div className={styles.steps}>
          <Mdx extra={COMPONENTS}>{children}</Mdx>
        </div>
      </section>
      <Closing {...closing} />
    </>
  );
}

type WayTexts = Data['contentHome']['hero']['ways'][number];

/** A way to use the product. */
const Way = ({ heading, text, command, link }: WayTexts) => (
  <li>
    <h2>{heading}</h2>
    {command && (
      <p>
        <code>{command}</code>
      </p>
    )}
    <p>{text}</p>
    <p>
      <Link to={link.to}>{link.label}</Link>
    </p>
  </li>
);

type FeatureTexts = Pick<
  Data['contentHome']['features'][number],
  'anchor' | 'heading' | 'text' | 'points' | 'link'
>;

/** A product beside a figure of a real response. */
function Feature({
  anchor,
  heading,
  text,
  points,
  link,
  figure,
}: FeatureTexts & { figure: React.JSX.Element }) {
  return (
    <section id={anchor} className={styles.feature}>
      <div>
        <h2>{heading}</h2>
        <p className={styles.text}>{text}</p>
        <ul className={styles.points}>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <p className={styles.more}>
          <Link to={link.to}>{link.label}</Link>
        </p>
      </div>
      <div>{figure}</div>
    </section>
  );
}

export const Head = headOf((data: Data) => data.mdx.frontmatter);

export const query = graphql`
  query HomePage($id: String!) {
    mdx(id: { eq: $id }) { frontmatter { ...TextMeta } }
    contentHome {
      hero {
        heading lead start documentation { label to } image credit
        ways { heading text command link { label to } }
      }
      measured { heading figures { ...HomeFact } link { label to } }
      figureLabel
      features {
        productId anchor heading text points
        link { label to }
        images response credit
      }
      why { heading items { heading text facts { ...HomeFact } } }
      quickStart { heading lead }
      closing { ...Closing }
    }
    allProductExample { nodes { productId operation html } }
    allContractProduct { nodes { productId label: name } }
  }

  fragment HomeFact on HomeFact { headline label line link { label to } }
`;
