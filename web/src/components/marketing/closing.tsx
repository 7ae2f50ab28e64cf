/** The call to action at the end of a page, on a ground of the accent color. */
import { graphql } from 'gatsby';
import { SignUpButton } from '../sign-up/sign-up-button';
import * as brackets from '../ui/brackets.module.css';
import { ButtonLink } from '../ui/button';
import * as styles from './closing.module.css';

export function Closing({ heading, text, start, actions }: Queries.ClosingFragment) {
  return (
    <section className={styles.band}>
      <div className={`${brackets.brackets} ${styles.closing}`}>
        <div>
          <h2>{heading}</h2>
          <p>{text}</p>
        </div>
        <div className={styles.actions}>
          {start && <SignUpButton plan="free">{start}</SignUpButton>}
          {actions.map(({ label, to }, position) => (
            <ButtonLink key={to} to={to} variant={start || position > 0 ? 'secondary' : 'primary'}>
              {label}
            </ButtonLink>
          ))}
        </div>
      </div>
    </section>
  );
}

export const query = graphql`
  fragment Closing on CallToAction {
    heading text start
    actions { label to }
  }
`;
