/** The home page: four products, reasons, and the quick start. */
import { graphql, Link, type PageProps } from 'gatsby';
import { CloneCommand } from '../components/code/clone-command';
import { Figure } from '../components/home/figure';
import * as styles from '../components/home/home.module.css';
import { Claims, Facts } from '../components/marketing/claims';
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
  const { hero, proofs, features, figureLabel, why, quickStart, closing } = data.contentHome;
  return (
    <>
      <section className={styles.hero}>
        <div>
          <h1>{hero.heading}</h1>
          <p className={styles.lead}>{hero.lead}</p>
          <p className={styles.actions}>
            <SignUpButton plan="free">{hero.start}</SignUpButton>
            <ButtonLink to={hero.documentation.to} variant="secondary">
              {hero.documentation.label}
            </ButtonLink>
          </p>
          <p className={styles.command}>
            <code>{hero.command}</code>
            <span>{hero.commandNote}</span>
          </p>
        </div>
        <figure className={styles.screen}>
          <DetectedPhoto label={hero.image} />
          <figcaption>{hero.credit}</figcaption>
        </figure>
      </section>
      <dl className={styles.proofs}>
        {proofs.map(({ heading, text, link }) => (
          <div key={heading}>
            <dt>{heading}</dt>
            <dd>{text}</dd>
            <dd>
              <Link to={link.to}>{link.label}</Link>
            </dd>
          </div>
        ))}
      </dl>
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
          {why.items.map(({ heading, text, claims, facts }) => (
            <div key={heading}>
              <h3>{heading}</h3>
              <p>{text}</p>
              {facts.length > 0 && <Facts facts={facts} />}
              {claims.length > 0 && <Claims ids={claims} />}
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

type FeatureTexts = Pick<
  Data['contentHome']['features'][number],
  'anchor' | 'heading' | 'text' | 'points' | 'claims' | 'link'
>;

/** A product beside a figure of a real response, with its claims below both. */
function Feature({
  anchor,
  heading,
  text,
  points,
  claims,
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
      <div className={styles.figures}>
        <Claims ids={claims} />
      </div>
    </section>
  );
}

export const Head = headOf((data: Data) => data.mdx.frontmatter);

export const query = graphql`
  query HomePage($id: String!) {
    mdx(id: { eq: $id }) { frontmatter { ...TextMeta } }
    contentHome {
      hero { heading lead start documentation { label to } image credit command commandNote }
      proofs { heading text link { label to } }
      figureLabel
      features {
        productId anchor heading text points claims
        link { label to }
        images response credit
      }
      why { heading items { heading text claims facts { headline label line link { label to } } } }
      quickStart { heading lead }
      closing { ...Closing }
    }
    allProductExample { nodes { productId operation html } }
    allContractProduct { nodes { productId label: name } }
  }
`;
