/** The parts of a product page. */
import { Link } from 'gatsby';
import { StepDrawing } from '../drawings/step-drawing';
import type { TitledText } from '../marketing/titled-list';
import { SignUpButton } from '../sign-up/sign-up-button';
import { CodeInText } from '../ui/code-in-text';
import { PageIntro } from '../ui/page-intro';
import * as styles from './product-sections.module.css';

type Product = QueryData<Queries.ProductPageQuery>['contentProducts'];

/** @param start label of the sign-up button */
export function Hero({ hero, exchange: { reference }, start }: Product & { start: string }) {
  return (
    <div className={styles.hero}>
      <PageIntro heading={hero.heading} lead={hero.text}>
        <p className={styles.actions}>
          <SignUpButton plan="free">{start}</SignUpButton>
          <Link to={reference.to}>{reference.label}</Link>
        </p>
      </PageIntro>
    </div>
  );
}

export const Steps = ({ howItWorks }: Product) => (
  <ol className={styles.steps}>
    {howItWorks.map(({ drawing, heading, text }) => (
      <li key={drawing}>
        <StepDrawing name={drawing} />
        <h3>{heading}</h3>
        <p>{text}</p>
      </li>
    ))}
  </ol>
);

/** Content categories with their `type` in responses. */
export const Categories = ({ items }: NonNullable<Product['categories']>) => (
  <ul className={styles.categories}>
    {items.map(({ drawing, heading, type, text }) => (
      <li key={drawing}>
        <StepDrawing name={drawing} />
        <div>
          <h3>{heading}</h3>
          <p className={styles.type}>
            <code>{type}</code>
          </p>
          <p>{text}</p>
        </div>
      </li>
    ))}
  </ul>
);

interface TextGridProps {
  items: readonly TitledText[];
  layout?: 'columns' | 'rows';
}

/** Short texts with headings, in two columns if there is room. `rows` puts each text beside its heading. */
export const TextGrid = ({ items, layout = 'columns' }: TextGridProps) => (
  <ul className={layout === 'rows' ? styles.rows : styles.columns}>
    {items.map(({ heading, text }) => (
      <li key={heading}>
        <h3>{heading}</h3>
        <p>{text}</p>
      </li>
    ))}
  </ul>
);

/** Example messages of the contract, highlighted by the build. */
export function Messages({ operation, reference, messages }: Product['exchange']) {
  return (
    <>
      <div className={styles.messages}>
        {messages.map(({ label, example }, position) => (
          <figure key={example.name}>
            <figcaption>
              {label} {position === 0 && <code>{operation}</code>}
            </figcaption>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: gatsby/highlight.mjs writes it from the contract. */}
            <div dangerouslySetInnerHTML={{ __html: example.html }} />
          </figure>
        ))}
      </div>
      <p className={styles.reference}>
        <Link to={reference.to}>{reference.label}</Link>
      </p>
    </>
  );
}

export const Specifications = ({ specifications }: Pick<Product, 'specifications'>) => (
  <dl className={styles.specifications}>
    {specifications.map(({ term, text }) => (
      <div key={term}>
        <dt>{term}</dt>
        <dd>
          <CodeInText>{text}</CodeInText>
        </dd>
      </div>
    ))}
  </dl>
);
